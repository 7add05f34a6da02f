/** The value in the middle; of an even number of values the upper of the two. NaN of none. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** Of what was measured in pairs: median, lowest and highest ratio. */
export function pairedRatio(ones: readonly number[], others: readonly number[]): number[] {
  const ratios = ones.map((one, pair) => one / (others[pair] ?? Number.NaN))
  return [median(ratios), Math.min(...ratios), Math.max(...ratios)]
}
