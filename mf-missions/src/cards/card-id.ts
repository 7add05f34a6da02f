/** Id of a mission's card in the page. */
export const cardId = (mission: string): string => `mission-${mission}`
