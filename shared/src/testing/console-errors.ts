const expected: RegExp[] = []
const unexpected: string[] = []

/** Expects such a console.error in the running test; any other fails it. */
export const expectConsoleError = (pattern: RegExp): void => void expected.push(pattern)

export function noteConsoleError(text: string): void {
  if (!expected.some((pattern) => pattern.test(text))) unexpected.push(text)
}

/** The errors that no test expected since the last call. */
export function takeUnexpectedErrors(): string[] {
  expected.length = 0
  return unexpected.splice(0)
}
