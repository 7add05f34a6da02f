import '@testing-library/jest-dom'

/** A console.error or an unhandled rejection that no test expected is a defect, so it fails the test. */
const unexpected: string[] = []

export const expectConsoleError = (pattern: RegExp): void => {
  expected.push(pattern)
}
const expected: RegExp[] = []

beforeEach(() => {
  unexpected.length = 0
  expected.length = 0
  jest.spyOn(console, 'error').mockImplementation((...args: unknown[]) => {
    const text = args.map(String).join(' ')
    if (!expected.some((pattern) => pattern.test(text))) unexpected.push(text)
  })
})

afterEach(() => {
  jest.restoreAllMocks()
  if (unexpected.length > 0) throw new Error(`Unexpected console.error:\n${unexpected.join('\n')}`)
})
