import { bucketOf, type Histogram, proportion, quantile } from './figures.ts'

/** A histogram of values, as the API keeps it. */
function histogramOf(values: readonly number[]): Histogram {
  const histogram: Histogram = {}
  for (const value of values) histogram[bucketOf(value)] = (histogram[bucketOf(value)] ?? 0) + 1
  return histogram
}

test('a bucket is a fifth wide, from 1 to a minute', () => {
  expect([0, 0.9, 1, 2, 4, 1000, 1190, 56_000, 1e9].map(bucketOf)).toEqual([0, 0, 1, 5, 9, 40, 41, 64, 64])
})

test('a quantile is known to a tenth, and its interval holds the true one', () => {
  const values = Array.from({ length: 1000 }, (_, n) => 400 + n)
  const { value, low, high } = quantile(histogramOf(values), 0.75) ?? { value: 0, low: 0, high: 0 }
  expect(Math.abs(value / 1150 - 1)).toBeLessThan(0.1)
  expect(low).toBeLessThan(1150)
  expect(high).toBeGreaterThan(1150)
  expect(quantile({}, 0.75)).toBeNull()
})

test('fewer values make a wider interval', () => {
  const width = (n: number) => {
    const { low = 0, high = 0 } =
      quantile(histogramOf(Array.from({ length: n }, (_, i) => 100 + (900 * i) / n)), 0.75) ?? {}
    return high - low
  }
  expect(width(20)).toBeGreaterThan(2 * width(2000))
})

test('a share has the interval of Wilson, which no zero makes certain', () => {
  expect(proportion(0, 0)).toBeNull()
  // https://en.wikipedia.org/wiki/Binomial_proportion_confidence_interval#Wilson_score_interval
  const { value, low, high } = proportion(5, 100) ?? { value: 0, low: 0, high: 0 }
  expect([value, low, high].map((share) => share.toFixed(3))).toEqual(['0.050', '0.022', '0.112'])
  expect(proportion(0, 100)?.high).toBeGreaterThan(0.03)
})
