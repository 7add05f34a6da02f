/** Returns a number as the first word of a sentence. */
export const countWord = (n: number) =>
  ['Không', 'Một', 'Hai', 'Ba', 'Bốn', 'Năm', 'Sáu'][n] ?? String(n)
