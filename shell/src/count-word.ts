export const countWord = (n: number) =>
  ['Không', 'Một', 'Hai', 'Ba', 'Bốn', 'Năm', 'Sáu'][n] ?? String(n)
