import '@testing-library/jest-dom'
import { noteConsoleError, takeUnexpectedErrors } from '@anniversary/shared/testing/console-errors'
import { installDialog } from '@anniversary/shared/testing/dialog'
import { configure } from '@testing-library/dom'

configure({ asyncUtilTimeout: 20_000 })
// A query that fails prints the roles and names on the page, not its whole DOM.
process.env.DEBUG_PRINT_LIMIT ??= '0'

installDialog()

const scheduler = jest.requireActual<{ unstable_forceFrameRate(framesASecond: number): void }>(
  require.resolve('scheduler', { paths: [require.resolve('react-dom')] }),
)
// React pauses a rendering after 5 ms, so on a busy machine a test's next line ran before the rest of it.
scheduler.unstable_forceFrameRate(1)

/** A console.error that no test expected is a defect, so it fails the test. */
beforeEach(() => {
  takeUnexpectedErrors()
  jest
    .spyOn(console, 'error')
    .mockImplementation((...args: unknown[]) => noteConsoleError(args.map(String).join(' ')))
})

afterEach(() => {
  jest.restoreAllMocks()
  jest.useRealTimers()
  const unexpected = takeUnexpectedErrors()
  if (unexpected.length > 0) throw new Error(`Unexpected console.error:\n${unexpected.join('\n')}`)
})
