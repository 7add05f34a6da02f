import { traceId } from './trace.ts'
import { traceparentHeader } from './traceparent.ts'

test('the calls of a page load carry one trace id and a span each', () => {
  const [first, second] = [traceparentHeader(), traceparentHeader()]
  expect(first).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  expect(first).not.toBe(second)
  for (const header of [first, second]) expect(header).toContain(`-${traceId()}-`)
})
