/** The value in the middle; of an even number of values the upper of the two. NaN of none. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/**
 * Median of the ratios of what was measured in pairs, and the interval of the sign test: from the k-th smallest to the
 * k-th largest ratio, with the largest k for which it holds the true median with 95 %, whatever the distribution. Fewer
 * than six pairs have no such k: then from the smallest to the largest.
 */
export function pairedRatio(
  ones: readonly number[],
  others: readonly number[],
): [median: number, low: number, high: number] {
  const ratios = ones.map((one, pair) => one / (others[pair] ?? Number.NaN)).sort((a, b) => a - b)
  const count = ratios.length
  // The true median lies outside where fewer than k ratios are on one side of it: fewer than k heads in so many tosses.
  let [k, ways, outside] = [1, count, 2 ** (1 - count) * (1 + count)]
  while (outside <= 0.05) {
    k += 1
    ways *= (count - k + 1) / k
    outside += 2 ** (1 - count) * ways
  }
  return [median(ratios), ratios[k - 1] ?? Number.NaN, ratios[count - k] ?? Number.NaN]
}
