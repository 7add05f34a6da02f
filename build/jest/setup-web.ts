import '@testing-library/jest-dom'
import { noteConsoleError, takeUnexpectedErrors } from '@anniversary/shared/testing/console-errors'

/** A console.error that no test expected is a defect, so it fails the test. */
beforeEach(() => {
  takeUnexpectedErrors()
  jest
    .spyOn(console, 'error')
    .mockImplementation((...args: unknown[]) => noteConsoleError(args.map(String).join(' ')))
})

afterEach(() => {
  jest.restoreAllMocks()
  const unexpected = takeUnexpectedErrors()
  if (unexpected.length > 0) throw new Error(`Unexpected console.error:\n${unexpected.join('\n')}`)
})
