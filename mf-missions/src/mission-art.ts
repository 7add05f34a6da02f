/** Pictures of the cards by their place in the list (specification, section 2: index 0-5, each with an image). */
export const missionArt: readonly string[] = []
