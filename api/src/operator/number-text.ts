/** A number as operators read it: 1,234. */
export const numberText = (n: number) => n.toLocaleString('en')
