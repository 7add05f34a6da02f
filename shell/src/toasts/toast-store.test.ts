import { hasKeptToasts, notifyMember, takeKeptToasts, toastStore } from './toast-store.ts'

const shown = () => toastStore.getState().toasts.map(({ kind, text }) => `${kind}: ${text}`)

/** The error that shows closes after so many milliseconds, and not before. */
function expectToCloseAfter(ms: number) {
  jest.advanceTimersByTime(ms - 1)
  expect(shown()).toEqual(['error: lỗi'])
  jest.advanceTimersByTime(1)
  expect(shown()).toEqual([])
}

beforeEach(() => {
  jest.useFakeTimers()
  toastStore.setState({ toasts: [] })
})

// spec: toast-time
test('a toast closes after 3000 ms or its own duration', () => {
  notifyMember.error('lỗi')
  notifyMember.success('đã chép', { duration: 1200 })
  expect(shown()).toEqual(['error: lỗi', 'success: đã chép'])
  jest.advanceTimersByTime(1200)
  expectToCloseAfter(1800)
})

test('a toast does not expire in a hidden tab', () => {
  const visibility = jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  notifyMember.error('lỗi')
  jest.advanceTimersByTime(60_000)
  expect(shown()).toEqual(['error: lỗi'])
  visibility.mockReturnValue('visible')
  document.dispatchEvent(new Event('visibilitychange'))
  expectToCloseAfter(3000)
})

test("a repeated text restarts the toast's time", () => {
  notifyMember.error('lỗi')
  jest.advanceTimersByTime(2000)
  notifyMember.warning('lỗi')
  expectToCloseAfter(3000)
})

test.each(['input', 'paste', 'submit'])('an error toast closes with the next %s', (type) => {
  const form = document.body.appendChild(document.createElement('form'))
  form.addEventListener(type, () => notifyMember.error('vẫn thiếu'))
  notifyMember.error('thiếu')
  notifyMember.warning('hết hạn')
  form.dispatchEvent(new Event(type, { bubbles: true }))
  form.remove()
  expect(shown()).toEqual(['warning: hết hạn', 'error: vẫn thiếu'])
})

test('a text for after the reload is stored and shown once', () => {
  notifyMember.warning('hết hạn', { afterReload: true })
  expect(shown()).toEqual([])
  expect(hasKeptToasts()).toBe(true)
  expect(takeKeptToasts()).toEqual([{ kind: 'warning', text: 'hết hạn' }])
  expect(takeKeptToasts()).toEqual([])
})

test.each(['null', '5', '{"length":1}', '[null]', '[{"kind":"toString","text":"x"}]', '{'])(
  'kept toasts with the value %s count as none',
  (value) => {
    sessionStorage.setItem('anniversary-toasts', value)
    expect(takeKeptToasts()).toEqual([])
    sessionStorage.clear()
  },
)
