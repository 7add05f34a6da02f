import type { Host } from '@anniversary/shared/contract/host'
import { PLACE_MARKS, PRERENDERED } from '@anniversary/shared/contract/prerendered'
import { expectConsoleError } from '@anniversary/shared/testing/console-errors'
import { createFakeHost } from '@anniversary/shared/testing/fake-host'
import { fakeComposition, fakeRelease, fakeRemote } from '@anniversary/shared/testing/fake-release'
import { Button } from '@anniversary/shared/ui/Button'
import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import type { Root } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { App } from '../App.tsx'
import { renderShellApp } from '../first-load/first-page.tsx'
import { renderSkeletons } from '../first-load/skeletons.tsx'
import { loadLanding } from '../landing/load-landing.ts'
import { newVersionStore } from '../layout/watch-composition.ts'
import { pageComposition } from '../loader/page-composition.ts'
import { createRemoteLoader, type PageComponent } from '../loader/remote-loader.ts'
import { loadRulesChunk } from '../rules/RulesPopup.tsx'
import { clearSession, sessionStore, startSession } from '../session/session-store.ts'
import { toastStore } from '../toasts/toast-store.ts'
import { onLinkIntent } from './follow-links.ts'
import { loadPageRouter } from './router.ts'

const composed = fakeRemote({
  current: fakeRelease('1', {
    routes: {
      '/login': { title: 'Đăng nhập', expose: './LoginPage' },
      '/check': { title: 'Kiểm tra', expose: './CheckPage' },
      '/home': { title: 'Nhiệm vụ', expose: './HomePage', protected: true },
      '/histories': { title: 'Lịch sử', expose: './HistoryPage', protected: true },
    },
  }),
})
let host: Host
const page =
  (text: string): PageComponent =>
  ({ host: given }) => {
    host = given
    function leave() {
      host.session.clear()
      host.navigate('/login')
    }
    return (
      <>
        <h1 tabIndex={-1}>{text}</h1>
        <a href="/histories">Đi</a>
        <Button onClick={leave}>Ra</Button>
      </>
    )
  }

let crashes = true
const pages: Record<string, () => Promise<PageComponent>> = {
  './LoginPage': async () => page('Trang đăng nhập'),
  './HomePage': async () => page('Trang nhiệm vụ'),
  './HistoryPage': async () => () => {
    if (crashes) throw new Error('kaputt')
    return <h1>Trang lịch sử</h1>
  },
}

/**
 * The app at a path.
 * @param loaded expose of the page, where it is there before the app renders
 */
async function appAt(path: string, loaded?: string) {
  history.replaceState(null, '', path)
  await loadLanding()
  const loader = {
    config: createFakeHost().config,
    pages: createRemoteLoader({
      remote: () => composed,
      placeOf: async () => undefined,
      loadExpose: (_release, expose) => pages[expose]?.() ?? Promise.reject(new Error('no page')),
      onFailure: () => undefined,
    }),
    composition: pageComposition(
      fakeComposition({ remotes: { 'mf-x': composed } }),
      () => undefined,
    ),
    reports: { add: () => undefined },
  }
  if (loaded) await loader.pages.load('mf-x', loaded)
  return <App loader={loader} />
}

async function show(path: string) {
  const app = await appAt(path)
  await act(async () => void render(app))
}
async function showRouted(path: string) {
  await loadPageRouter()
  await show(path)
}

beforeEach(() => {
  window.scrollTo = () => undefined
  startSession({ token: 'tok', username: 'demo01' })
})
afterEach(() => {
  clearSession()
  toastStore.setState({ toasts: [] })
})

const sent: string[] = []
const FormPage: PageComponent = () => (
  <form
    onSubmit={(event) => {
      event.preventDefault()
      const [name, code] = new FormData(event.currentTarget).values()
      sent.push(`${name} ${code}`)
    }}
  >
    <input id="name" name="name" />
    <input className="x-code" name="code" aria-label="Mã" />
    <button className="x-send" type="submit">
      Gửi
    </button>
  </form>
)

describe('the HTML that a page shows before its code', () => {
  const root = () => document.getElementById('root') as HTMLElement // just written
  const code = () => screen.getByLabelText<HTMLInputElement>('Mã')
  const onMismatch = jest.fn()

  /**
   * Writes the page as `deploy` does.
   * @param renderedBy entry of the release whose HTML it is
   */
  async function open(renderedBy: string) {
    const html = renderToString(<FormPage host={createFakeHost()} />)
    const place = new RegExp(`${PLACE_MARKS.start}.*${PLACE_MARKS.end}`)
    const whole = renderSkeletons().form?.replace(place, html)
    document.body.innerHTML = `<div id="root" ${PRERENDERED}="${renderedBy}">${whole}</div>`
    return await appAt('/check', './CheckPage')
  }
  async function takesOver(app: ReactNode, isRendered: boolean) {
    onMismatch.mockClear()
    // In development React also warns of the pressed button's attribute.
    const log = jest.spyOn(console, 'error').mockImplementation(() => undefined)
    await act(async () => {
      rendered = renderShellApp(root(), app, isRendered, onMismatch)
    })
    return log.mock.calls.filter(([text]) => text === 'The page did not hydrate')
  }
  let rendered: Root
  afterEach(() => act(() => rendered.unmount()))

  beforeEach(() => {
    sent.length = 0
    pages['./CheckPage'] = async () => FormPage
  })

  const ENTRY = '/mf-x/1/entry.js'
  // What password managers and translators do.
  const addForeignNode = () => code().before(document.createElement('div'))
  const addForeignControls = () => {
    code().before(document.createElement('input'))
    screen.getByRole('button').before(document.createElement('button'))
  }
  const translate = () => {
    screen.getByRole('button').innerHTML = '<font><font>Send</font></font>'
  }
  test.each<[string, { renderedBy: string; isKept: boolean; change?: () => void }]>([
    ['hydrated', { renderedBy: ENTRY, isKept: true }],
    ['replaced by another release', { renderedBy: '/mf-x/0/entry.js', isKept: false }],
    ['with a foreign node in it', { renderedBy: ENTRY, isKept: false, change: addForeignNode }],
    [
      'with foreign controls in it',
      { renderedBy: ENTRY, isKept: false, change: addForeignControls },
    ],
    ['translated', { renderedBy: ENTRY, isKept: false, change: translate }],
  ])('a page keeps typed text, focus and click: %s', async (_, { renderedBy, isKept, change }) => {
    const app = await open(renderedBy)
    const before = code()
    const [name] = screen.getAllByRole<HTMLInputElement>('textbox')
    if (name) name.value = 'mai'
    before.value = '12'
    before.focus()
    before.setSelectionRange(1, 1)
    screen.getByRole('button').setAttribute('data-pressed', '')
    change?.()
    const errors = await takesOver(app, renderedBy === ENTRY)
    expect(code() === before).toBe(isKept)
    expect(errors).toHaveLength(change ? 1 : 0)
    expect(onMismatch).toHaveBeenCalledTimes(errors.length)
    expect([code().value, code().selectionStart]).toEqual(['12', 1])
    expect(code()).toHaveFocus()
    expect(sent).toEqual(['mai 12'])
    expect(root()).not.toHaveAttribute(PRERENDERED)
  })

  test('the focus stays where the member moved it', async () => {
    const app = await open(ENTRY)
    const name = screen.getAllByRole('textbox')[0]
    code().focus()
    rendered = renderShellApp(root(), app, true, () => undefined)
    name?.focus()
    await act(async () => {})
    expect(name).toHaveFocus()
  })
})

test('a link is a plain link until the router has loaded', async () => {
  await show('/home')
  let isLeft = false
  // jsdom follows no links.
  const stop = (event: Event) => {
    isLeft = !event.defaultPrevented
    event.preventDefault()
  }
  addEventListener('click', stop, { once: true })
  await userEvent.click(screen.getByRole('link', { name: 'Đi' }))
  expect(isLeft).toBe(true)
  expect(screen.getByRole('heading', { name: 'Trang nhiệm vụ' })).toBeVisible()
})

test("the router's arrival keeps the first page as it is", async () => {
  pages['./CheckPage'] = async () => FormPage
  await show('/check')
  const field = screen.getByLabelText<HTMLInputElement>('Mã')
  field.value = '12'
  await act(loadPageRouter)
  expect(screen.getByLabelText('Mã')).toBe(field)
  expect(field).toHaveValue('12')
})

test('the first move shows the next page and focuses its heading', async () => {
  await showRouted('/home')
  await act(async () => host.navigate('/login'))
  expect(screen.getByRole('heading', { name: 'Trang đăng nhập' })).toHaveFocus()
  expect(screen.getAllByRole('main')).toHaveLength(1)
  expect(document.title).toMatch(/^Đăng nhập ·/)
})

test('rules that load slowly do not open over the next page', async () => {
  await showRouted('/home')
  await act(async () => {
    host.rules.open()
    host.navigate('/login')
  })
  expect(screen.queryByText('Đang tải thể lệ…')).not.toBeInTheDocument()
  await act(loadRulesChunk)
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})

test('a browser whose replaceState throws loads the page', async () => {
  await showRouted('/home')
  const refuse = jest.spyOn(history, 'replaceState').mockImplementation(() => {
    throw new DOMException('too many', 'SecurityError')
  })
  expectConsoleError(/navigation/)
  await act(async () => host.navigate('/login', { replace: true }))
  expect(refuse).toHaveBeenCalled()
})

// spec: unknown-path
test('an unknown path is the landing page', async () => {
  clearSession()
  await showRouted('/nowhere')
  expect(location.pathname).toBe('/')
  expect(screen.getByRole('link', { name: /Đăng nhập/ })).toHaveAttribute('href', '/login')
})

// spec: protected-route
test('without a session /histories warns and leads to /login', async () => {
  clearSession()
  await showRouted('/histories')
  expect(location.pathname).toBe('/login')
  expect(screen.getByRole('heading', { name: 'Trang đăng nhập' })).toBeInTheDocument()
  expect(toastStore.getState().toasts.map(({ text }) => text)).toEqual([
    'Phiên đăng nhập đã hết hạn. Vui lòng đăng nhập lại để tiếp tục!',
  ])
})

test('a move to the current page adds no history entry', async () => {
  await showRouted('/home')
  const before = history.length
  for (const path of ['/check', '/check', '/home'] as const) act(() => host.navigate(path))
  expect(history.length).toBe(before + 2)
  await screen.findByRole('heading', { name: 'Trang nhiệm vụ' })
})

test('a page that logs out shows no warning', async () => {
  await showRouted('/home')
  await userEvent.click(screen.getByRole('button', { name: 'Ra' }))
  expect(location.pathname).toBe('/login')
  expect(sessionStore.getState().session).toBeNull()
  expect(toastStore.getState().toasts).toEqual([])
})

// spec: crash-is-local
test('a crash affects its page alone, and a retry renders it again', async () => {
  expectConsoleError(/kaputt/)
  await showRouted('/home')
  await userEvent.click(screen.getByRole('link', { name: 'Đi' }))
  expect(await screen.findByText('Đã có lỗi. Vui lòng tải lại trang.')).toBeInTheDocument()
  await act(async () => history.back())
  expect(await screen.findByRole('heading', { name: 'Trang nhiệm vụ' })).toBeInTheDocument()
  await act(async () => history.forward())
  const retry = await screen.findByRole('button', { name: 'Thử lại' })
  crashes = false
  // Not a second tap: in jsdom all is at one place.
  await act(async () => retry.click())
  expect(await screen.findByRole('heading', { name: 'Trang lịch sử' })).toBeInTheDocument()
})

test('a card for a removed release offers a reload and a retry', async () => {
  globalThis.fetch = async () => new Response('{"number":2,"remotes":{}}')
  pages['./CheckPage'] = () => Promise.reject(new Error('404'))
  await showRouted('/check')
  const card = within(await screen.findByRole('alert'))
  expect(await card.findByRole('button', { name: 'Tải lại' })).toBeVisible()
  expect(card.getByText(/Trang đã có phiên bản mới/)).toBeVisible()
  pages['./CheckPage'] = async () => page('Trang kiểm tra')
  await userEvent.click(card.getByRole('button', { name: 'Thử lại' }))
  expect(await screen.findByRole('heading', { name: 'Trang kiểm tra' })).toHaveFocus()
})

test('both banners are announced in one region', async () => {
  await showRouted('/home')
  act(() => {
    dispatchEvent(new Event('offline'))
    newVersionStore.setState({ isNewer: true })
  })
  const [region] = screen.getAllByRole('status')
  expect(region).toHaveTextContent(/Không có kết nối mạng.*Đã có phiên bản mới/)
  act(() => {
    dispatchEvent(new Event('online'))
    newVersionStore.setState({ isNewer: false })
  })
})

test('a touch of a link renders none of six cards', async () => {
  const Card = jest.fn(() => <a href="/histories">Nhận vé</a>)
  const cards = ['a', 'b', 'c', 'd', 'e', 'f']
  pages['./CheckPage'] = async () => () => cards.map((key) => <Card key={key} />)
  onLinkIntent(() => void loadPageRouter())
  await showRouted('/check')
  expect(Card).toHaveBeenCalledTimes(cards.length)
  Card.mockClear()
  const [link] = screen.getAllByRole('link', { name: 'Nhận vé' })
  for (const type of ['pointerover', 'touchstart', 'focusin'])
    await act(async () => void link?.dispatchEvent(new Event(type, { bubbles: true })))
  expect(Card).not.toHaveBeenCalled()
})
