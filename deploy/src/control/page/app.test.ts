/**
 * @jest-environment @anniversary/build/jsdom-environment
 */
import type { ControlState } from '../state.ts'
import { startControl } from './app.ts'

const AT = '2025-08-21T03:04:00Z'
const estimate = { value: 0.02, low: 0.01, high: 0.03 }
const health = { views: 1000, errorRate: estimate, failureRate: estimate, retryRate: null, p75: {} }

const state: ControlState = {
  site: 'file:/srv/site',
  at: AT,
  number: 7,
  packages: [
    { name: 'shell', version: '1.0.0-aaaaaaaaaaaa', status: 'on' },
    {
      name: 'mf-auth',
      version: '1.0.0-bbbbbbbbbbbb',
      status: 'on',
      since: { number: 6, at: AT, by: 'ann' },
      canary: { version: '1.1.0-cccccccccccc', percent: 25 },
    },
    { name: 'mf-history', version: '1.0.0-dddddddddddd', status: 'off' },
  ],
  history: [
    {
      number: 7,
      at: AT,
      by: '<b>bob</b>',
      verb: 'disable',
      summary: 'mf-history off',
      packages: ['mf-history'],
      differences: [{ about: 'mf-history', what: 'status', from: 'on', to: 'off' }],
    },
  ],
  hours: 24,
  feel: {
    versions: [
      { remote: 'mf-auth', version: '1.0.0-bbbbbbbbbbbb', ...health },
      { remote: 'mf-auth', version: '1.1.0-cccccccccccc', ...health },
    ],
    hours: [
      {
        remote: 'mf-auth',
        version: '1.1.0-cccccccccccc',
        hour: AT,
        views: 10,
        errorRate: estimate,
        lcp: null,
      },
    ],
    errors: [],
  },
}

function find<E extends Element = HTMLElement>(selector: string): E {
  const element = document.querySelector<E>(selector)
  if (!element) throw new Error(`no ${selector}`)
  return element
}
const press = (id: string) => find<HTMLButtonElement>(`#${id}`).click()
const settled = () => new Promise((later) => setTimeout(later))

interface Sent {
  readonly path: string
  readonly key: string
  readonly body: { readonly dryRun: boolean } | null
}
let sent: Sent[]
let answers: ((request: Sent) => { status: number; json: object })[]

beforeEach(() => {
  document.body.replaceChildren()
  sessionStorage.clear()
  sent = []
  answers = []
  // jsdom has no modal dialogs.
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true
  }
  HTMLDialogElement.prototype.close = function () {
    this.open = false
    this.dispatchEvent(new Event('close'))
  }
  import.meta.jest.useFakeTimers({ doNotFake: ['setTimeout', 'Date'] })
  globalThis.fetch = async (path, { headers = {}, body } = {}) => {
    const request = {
      path: String(path),
      key: new Headers(headers).get('authorization') ?? '',
      body: body ? JSON.parse(String(body)) : null,
    }
    sent.push(request)
    const { status, json } = answers.shift()?.(request) ?? { status: 200, json: state }
    return new Response(JSON.stringify(json), { status })
  }
})

async function logIn(): Promise<void> {
  startControl(null)
  find<HTMLInputElement>('#by').value = ' ann '
  find<HTMLInputElement>('#key').value = 'secret'
  find<HTMLFormElement>('form').requestSubmit()
  await settled()
}

test('a snapshot shows all, asks nobody, and has nothing to press', () => {
  startControl(state)
  expect(document.body.textContent).toContain('A snapshot, taken')
  expect([...document.querySelectorAll('h3')].map((title) => title.textContent)).toEqual([
    'mf-auth',
    'mf-history',
    'shell',
  ])
  expect(document.querySelectorAll('button')).toHaveLength(0)
  expect(sent).toEqual([])
})

test('the picture says in words what it shows; text is never markup', () => {
  startControl(state)
  expect(find('svg[role=img]').getAttribute('aria-label')).toBe(
    'mf-auth: views with an error, by hour. 1.1.0-cccccc (canary): from 2.0 % to 2.0 %, last 2.0 %.',
  )
  expect(document.body.textContent).toContain('<b>bob</b>')
  expect(document.querySelector('b')).toBeNull()
  expect(find('del').textContent).toBe('on')
})

test('the key opens it, and stays in this tab; a wrong one is asked for again', async () => {
  answers.push(() => ({ status: 401, json: { error: 'The key is wrong' } }))
  await logIn()
  expect(find('[role=alert]').textContent).toBe('The key is wrong.')
  expect(sessionStorage.getItem('control-key')).toBeNull()
  expect(find<HTMLInputElement>('#by').value).toBe('ann')
  find<HTMLInputElement>('#key').value = 'right'
  find<HTMLFormElement>('form').requestSubmit()
  await settled()
  expect(sent.at(-1)).toMatchObject({ path: '/control/state', key: 'Bearer right' })
  expect(find('h3').textContent).toBe('mf-auth')
})

test('an action is asked about first, with what it would do, and done on the second press', async () => {
  await logIn()
  answers.push(() => ({ status: 200, json: { summary: 'mf-auth canary stopped', number: 8, changed: true } }))
  press('stop-mf-auth')
  await settled()
  expect(find('dialog h2').textContent).toBe('Stop the canary of mf-auth')
  expect(find('dialog').textContent).toContain('mf-auth canary stopped')
  expect(find('dialog').textContent).toContain('composition 8')
  expect(sent.at(-1)?.body).toEqual({
    action: { verb: 'stop-canary', name: 'mf-auth' },
    from: 7,
    by: 'ann',
    dryRun: true,
  })

  answers.push(() => ({ status: 200, json: { summary: 'mf-auth canary stopped', number: 8, changed: true } }))
  press('confirm-go')
  press('confirm-go')
  await settled()
  expect(sent.filter(({ body }) => body && !body.dryRun)).toHaveLength(1)
  expect(document.querySelector('dialog')).toBeNull()
  expect(find('[role=status]').textContent).toBe('Done: mf-auth canary stopped. Composition 8 is live.')
  expect(sent.at(-1)?.path).toBe('/control/state')
})

test('a refusal says why, and leaves nothing to press but Close', async () => {
  await logIn()
  const problem = { rule: 'site', about: 'mf-auth', found: 'it has changed', todo: 'Look again' }
  answers.push(() => ({ status: 409, json: { error: 'refused', problems: [problem] } }))
  press('switch-mf-auth')
  await settled()
  expect(find('dialog .body').textContent).toBe(
    'Refused. Nothing was changed.mf-auth: it has changed. Look again.',
  )
  expect([...document.querySelectorAll('dialog button')].map((one) => one.textContent)).toEqual(['Close'])
})

test('drawn anew, the focus and what was opened stay', async () => {
  await logIn()
  find('#step-7').setAttribute('open', '')
  find('#back').focus()
  import.meta.jest.advanceTimersByTime(30_000)
  await settled()
  expect(sent.filter(({ path }) => path === '/control/state')).toHaveLength(2)
  expect(find('#step-7').hasAttribute('open')).toBe(true)
  expect(document.activeElement?.id).toBe('back')
})
