/**
 * Returns the median; of an even number of values the upper of the two in the
 * middle. NaN of none, or if one is NaN.
 */
export const median = (values: readonly number[]): number =>
  values.some(Number.isNaN)
    ? Number.NaN
    : (values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN)

/** Returns median, lowest and highest ratio of paired measurements. */
export function pairedRatio(ones: readonly number[], others: readonly number[]): number[] {
  const ratios = ones.map((one, pair) => one / (others[pair] ?? Number.NaN))
  return [median(ratios), Math.min(...ratios), Math.max(...ratios)]
}
