import '@testing-library/jest-dom'
import { noteConsoleError, takeUnexpectedErrors } from '@anniversary/shared/testing/console-errors'
import { installDialog } from '@anniversary/shared/testing/dialog'
import { configure } from '@testing-library/dom'

configure({ asyncUtilTimeout: 20_000 })
// A failed query prints roles and names, not the whole DOM.
process.env.DEBUG_PRINT_LIMIT ??= '0'

installDialog()

const scheduler = jest.requireActual<{ unstable_forceFrameRate(framesASecond: number): void }>(
  require.resolve('scheduler', { paths: [require.resolve('react-dom')] }),
)
// React pauses a rendering after 5 ms, so a slow machine would run a test's
// next line too early.
scheduler.unstable_forceFrameRate(1)

/** An unexpected console.error is a defect. */
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
