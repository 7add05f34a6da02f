import { fireEvent, screen } from '@testing-library/dom'
import './first-script.ts'

const answers: (Response | Error | 'hang')[] = []
let asked: string[]
let pages = 0
const scripts = () => [...document.head.querySelectorAll('script')]
const failed = () => document.getElementById('failed') as HTMLElement // just written
const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms)

beforeEach(() => {
  jest.useFakeTimers()
  asked = []
  answers.length = 0
  globalThis.fetch = async (url, init) => {
    asked.push(`${init?.cache} ${String(url).replace(/.*\//, '')}`)
    const answer = answers.shift() ?? new Response()
    if (answer === 'hang')
      return new Promise((_, fail) => init?.signal?.addEventListener('abort', fail))
    if (answer instanceof Error) throw answer
    return answer
  }
  const tag = `<script defer src="/shell/${++pages}/main.js" integrity="sha384-m"></script>`
  document.head.innerHTML = `${tag}<template id="scripts">${tag}</template>`
  document.body.innerHTML = `<p id="failed" hidden>Đã có lỗi</p>
    <div id="root"><input aria-label="Tài khoản"></div>`
})

const offline = () => new TypeError('Failed to fetch')
const REQUEST = 'reload main.js'

test('a failed host script is fetched past the cache and run', async () => {
  answers.push(offline())
  const field = screen.getByLabelText<HTMLInputElement>('Tài khoản')
  field.value = 'mai'
  fireEvent.error(scripts()[0] as HTMLScriptElement)
  await pass(0)
  expect(asked).toEqual([REQUEST])
  expect(failed()).not.toHaveAttribute('hidden')
  await pass(1000)
  expect(asked).toEqual([REQUEST, REQUEST])
  expect(scripts()).toHaveLength(2)
  expect(scripts()[1]).toHaveAttribute('integrity', 'sha384-m')
  fireEvent.load(scripts()[1] as HTMLScriptElement)
  expect(failed()).toHaveAttribute('hidden')
  expect(screen.getByLabelText('Tài khoản')).toBe(field)
  expect(field).toHaveValue('mai')
})

test('a host script is tried again after 1, 3 and 9 seconds, and when online again', async () => {
  answers.push(...[0, 1, 2, 3, 4].map(offline), new Response('', { status: 404 }))
  fireEvent.error(scripts()[0] as HTMLScriptElement)
  const counts: number[] = []
  for (const ms of [0, 999, 1, 3000, 9000, 8999, 1]) {
    await pass(ms)
    counts.push(asked.length)
  }
  expect(counts).toEqual([1, 1, 2, 3, 4, 4, 5])
  for (const _ of [6, 7]) {
    dispatchEvent(new Event('online'))
    await pass(0)
  }
  expect(asked).toHaveLength(7)
  expect(scripts()).toHaveLength(2)
})

test('a host script that hangs is tried again after half a minute', async () => {
  answers.push('hang')
  fireEvent.error(scripts()[0] as HTMLScriptElement)
  await pass(31_000)
  expect(asked).toEqual([REQUEST, REQUEST])
  expect(scripts()).toHaveLength(2)
})

test('a script that the loader added is not requested again', async () => {
  scripts()[0]?.removeAttribute('defer')
  fireEvent.error(scripts()[0] as HTMLScriptElement)
  await pass(1000)
  expect(asked).toEqual([])
})

// What it does with presses and boxes: e2e/engines/steps.ts.
