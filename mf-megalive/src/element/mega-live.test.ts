import '../mega-live.ts'
import { embedTexts } from '../texts.ts'
import type { MegaLiveElement } from './mega-live.ts'

const LIVE = 'https://live.example/register'

const EVENTS = ['ready', 'timeout', 'refused', 'back'].map((name) => `mega-live-${name}`)
let heard: [type: string, detail: unknown][] = []
function hear(event: Event) {
  // Only our own events, which are CustomEvents, are heard.
  heard.push([event.type, (event as CustomEvent).detail])
}

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['queueMicrotask'] })
  heard = []
  for (const name of EVENTS) document.addEventListener(name, hear)
})

afterEach(() => {
  for (const name of EVENTS) document.removeEventListener(name, hear)
  document.body.replaceChildren()
})

function put(attributes: Record<string, string> = { src: LIVE }): MegaLiveElement {
  const element = document.createElement('mega-live')
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  document.body.append(element)
  return element
}
function inside<T extends Element = HTMLElement>(element: MegaLiveElement, selector: string): T {
  const found = element.shadowRoot?.querySelector<T>(selector)
  if (!found) throw new Error(`no ${selector}`)
  return found
}
const has = (element: MegaLiveElement, selector: string) =>
  element.shadowRoot?.querySelector(selector) !== null
const frame = (element: MegaLiveElement) => inside<HTMLIFrameElement>(element, 'iframe')
/** jsdom loads no frames inside shadow roots. */
function lendWindow(element: MegaLiveElement) {
  const inner = frame(element)
  if (!inner.contentWindow) {
    const outer = document.createElement('iframe')
    document.body.append(outer)
    Object.defineProperty(inner, 'contentWindow', { value: outer.contentWindow })
  }
  return inner.contentWindow
}
const loads = (element: MegaLiveElement) => frame(element).dispatchEvent(new Event('load'))
const says = (
  element: MegaLiveElement,
  {
    data = { type: 'mega-live:ready' } as unknown,
    origin = 'https://live.example',
    source = lendWindow(element),
  } = {},
) => window.dispatchEvent(new MessageEvent('message', { data, origin, source }))
const words = (element: MegaLiveElement) => element.shadowRoot?.textContent ?? ''

// spec: embed-overlay
test('covers the frame until it loads', () => {
  const element = put()
  expect(inside(element, '[role=status]')).toHaveTextContent(embedTexts.loading)
  // Browsers at the embed's floor do not know `inert`.
  expect(frame(element)).toMatchObject({ inert: true, tabIndex: -1 })
  loads(element)
  expect(words(element)).not.toContain(embedTexts.loading)
  expect(frame(element)).toMatchObject({ inert: false, tabIndex: 0 })
  expect(heard).toEqual([['mega-live-ready', { by: 'load', late: false, ms: expect.any(Number) }]])
})

// spec: embed-fallback
test('after 10 seconds the fallback shows, until a late load', () => {
  const element = put()
  jest.advanceTimersByTime(9_999)
  expect(element.phase).toBe('loading')
  jest.advanceTimersByTime(1)
  expect(element.phase).toBe('fallback')
  expect(inside<HTMLObjectElement>(element, 'object').data).toBe(LIVE)
  expect(inside<HTMLEmbedElement>(element, 'object > embed').src).toBe(LIVE)
  expect(inside(element, '[role=alert]')).toHaveTextContent(embedTexts.unsupported)
  expect(inside(element, '[role=alert] > a.open')).toHaveAttribute('href', LIVE)
  loads(element)
  expect(inside(element, '.bar > a.open')).toHaveAttribute('href', LIVE)
  expect(has(element, 'object')).toBe(false)
  expect(words(element)).not.toContain(embedTexts.unsupported)
  expect(heard).toEqual([
    ['mega-live-timeout', { ms: expect.any(Number) }],
    ['mega-live-ready', { by: 'load', late: true, ms: expect.any(Number) }],
  ])
})

test('the object that a member uses stays, and covers the frame', () => {
  const element = put()
  jest.advanceTimersByTime(10_000)
  const object = inside<HTMLObjectElement>(element, 'object')
  object.tabIndex = 0
  object.focus()
  loads(element)
  says(element)
  expect(element.proven).toBe(true)
  expect(element.shadowRoot?.activeElement).toBe(object)
  expect(words(element)).not.toContain(embedTexts.unsupported)
  expect(frame(element)).toMatchObject({ inert: true, tabIndex: -1 })
})

test('the frame has its name in the bar, no permissions, referrer or opener', () => {
  const element = put({ src: LIVE, label: 'Đêm quay số' })
  expect(frame(element).outerHTML).toContain('allow="" referrerpolicy="no-referrer"')
  expect(frame(element)).toHaveAttribute('title', 'Đêm quay số')
  expect(inside(element, '.name')).toHaveTextContent('Đêm quay số')
  expect(inside(element, 'a.open').outerHTML).toContain('target="_blank" rel="noopener noreferrer"')
})

describe('ready', () => {
  test.each([[{ type: 'mega-live:ready' }], ['ready']])(
    '%j counts from the frame, before load',
    (data) => {
      const element = put()
      says(element, { data })
      expect(element.phase).toBe('shown')
      loads(element)
      expect(heard).toEqual([
        ['mega-live-ready', { by: 'message', late: false, ms: expect.any(Number) }],
      ])
    },
  )

  test('a ready message of another origin, window or text is ignored', () => {
    const element = put()
    says(element, { origin: 'https://evil.example' })
    says(element, { source: window, origin: 'null' })
    says(element, { source: window })
    says(element, { source: null })
    for (const data of [null, '', 'not ready', {}, { type: 'hello' }, [], 1])
      says(element, { data })
    expect(element.phase).toBe('loading')
  })

  test.each([LIVE, '/sample.html'])(
    'counts from %s without an origin: we or its server sandbox it',
    (src) => {
      const element = put({ src })
      says(element, { origin: 'null' })
      expect(element.phase).toBe('shown')
    },
  )

  test('a required ready message is awaited even after load', () => {
    // As React 18 and Vue write `false`.
    const free = put({ src: LIVE, 'require-ready': 'false' })
    loads(free)
    expect(free.phase).toBe('shown')
    const element = put({ src: LIVE, 'require-ready': '' })
    loads(element)
    expect(element.phase).toBe('loading')
    says(element)
    expect([element.phase, element.proven]).toEqual(['shown', true])
  })
})

describe('refused', () => {
  test('an address that may not be embedded loads nothing', async () => {
    const element = put({ src: 'javascript:alert(1)' })
    expect(has(element, 'iframe, object, embed')).toBe(false)
    expect(inside(element, '.open')).not.toHaveAttribute('href')
    expect(inside(element, '[role=alert]')).toHaveTextContent(embedTexts.refused)
    // Code that just inserted the element can still listen.
    expect(heard).toEqual([])
    await Promise.resolve()
    expect(heard).toEqual([['mega-live-refused', { reason: 'src' }]])
  })

  const violation = (disposition: 'enforce' | 'report', blockedURI = 'https://live.example') =>
    document.dispatchEvent(
      Object.assign(new Event('securitypolicyviolation', { bubbles: true }), {
        effectiveDirective: 'frame-src',
        blockedURI,
        disposition,
      }),
    )

  test("a frame that the page's policy forbids falls back at once", () => {
    const element = put()
    // A policy that only reports changes nothing, nor does another frame's.
    violation('report')
    violation('enforce', 'https://live.example.org')
    expect(element.phase).toBe('loading')
    // The frame's own load comes before or after it.
    loads(element)
    violation('enforce')
    loads(element)
    expect(element.phase).toBe('blocked')
    expect(words(element)).toContain(embedTexts.unsupported)
    expect(heard.at(-1)).toEqual(['mega-live-refused', { reason: 'policy' }])
  })
})

test('the back link exists only with an address and can be prevented', () => {
  const element = put()
  const link = inside(element, 'a.back')
  expect(link.hidden).toBe(true)
  element.setAttribute('back-href', 'javascript:alert(1)')
  expect(link.hidden).toBe(true)
  element.setAttribute('back-href', '/there')
  expect(link.hidden).toBe(false)

  element.addEventListener('mega-live-back', (event) => event.preventDefault())
  const click = new MouseEvent('click', { bubbles: true, cancelable: true })
  link.dispatchEvent(click)
  expect(click.defaultPrevented).toBe(true)
  // It opens a tab.
  const other = new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey: true })
  link.dispatchEvent(other)
  expect(other.defaultPrevented).toBe(false)
  expect(heard).toEqual([['mega-live-back', { href: `${location.origin}/there` }]])
})

describe('life', () => {
  test('a tag that was on the page before the script loads once', async () => {
    // Elements in a template upgrade when they are inserted.
    const template = document.createElement('template')
    template.innerHTML = `<mega-live src="javascript:alert(1)" timeout="5000" back-href="/"></mega-live>`
    document.body.append(template.content)
    await Promise.resolve()
    expect(heard).toEqual([['mega-live-refused', { reason: 'src' }]])
  })

  test('an embed in a page that is rendered ahead loads when the page is opened', () => {
    Object.assign(document, { prerendering: true })
    const element = put()
    const removed = put()
    removed.remove()
    jest.advanceTimersByTime(60_000)
    expect([element.phase, has(element, 'iframe')]).toEqual(['idle', false])
    Reflect.deleteProperty(document, 'prerendering')
    document.dispatchEvent(new Event('prerenderingchange'))
    expect([element.phase, removed.phase]).toEqual(['loading', 'idle'])
    jest.advanceTimersByTime(9_999)
    expect(element.phase).toBe('loading')
  })

  test.each([[{}], [{ src: ' ' }]])('an embed with %j waits for an address', (attributes) => {
    const element = put(attributes)
    jest.advanceTimersByTime(60_000)
    expect([element.phase, heard]).toEqual(['idle', []])
    element.setAttribute('src', LIVE)
    expect(element.phase).toBe('loading')
    element.removeAttribute('src')
    expect(element.phase).toBe('idle')
    expect(has(element, 'iframe')).toBe(false)
  })

  test('a removed embed stops, a re-inserted one starts again', () => {
    const element = put()
    jest.advanceTimersByTime(9_000)
    element.remove()
    jest.advanceTimersByTime(60_000)
    expect(heard).toEqual([])
    expect(has(element, 'iframe')).toBe(false)
    document.body.append(element)
    jest.advanceTimersByTime(9_999)
    expect(element.phase).toBe('loading')
    jest.advanceTimersByTime(1)
    expect(element.phase).toBe('fallback')
  })

  test('a new address reloads, a new timeout counts from the start', () => {
    const element = put()
    jest.advanceTimersByTime(6_000)
    element.setAttribute('timeout', 'no number')
    jest.advanceTimersByTime(0)
    expect(element.phase).toBe('loading')
    element.setAttribute('timeout', 'Infinity')
    jest.advanceTimersByTime(0)
    expect(element.phase).toBe('loading')
    element.setAttribute('timeout', '7000')
    jest.advanceTimersByTime(1_000)
    expect(element.phase).toBe('fallback')
    element.setAttribute('src', `${LIVE}?2`)
    expect(element.phase).toBe('loading')
    expect(element.shadowRoot?.querySelectorAll('iframe')).toHaveLength(1)
  })

  test('a new label renames the page without a reload', () => {
    const element = put()
    const before = frame(element)
    jest.advanceTimersByTime(10_000)
    element.setAttribute('label', 'Đêm quay số')
    expect(inside(element, '.name')).toHaveTextContent('Đêm quay số')
    expect(inside(element, 'object')).toHaveAttribute('title', 'Đêm quay số')
    expect(frame(element)).toBe(before)
    expect(before).toHaveAttribute('title', 'Đêm quay số')
  })

  test('retry reloads and keeps the focus in the embed', () => {
    const element = put()
    jest.advanceTimersByTime(10_000)
    const again = inside(element, 'button')
    expect(again).toHaveTextContent(embedTexts.retry)
    again.focus()
    again.click()
    expect(element.phase).toBe('loading')
    expect(element.shadowRoot?.activeElement).toHaveTextContent(embedTexts.open)
  })

  test.each([0, 10_000])('a page that loads after %i ms can be retried until it is ready', (ms) => {
    const element = put()
    jest.advanceTimersByTime(ms)
    loads(element)
    const before = frame(element)
    inside(element, '.bar > button').click()
    expect(element.phase).toBe('loading')
    expect(frame(element)).not.toBe(before)
    const again = inside(element, 'button')
    expect(again.hidden).toBe(true)
    loads(element)
    expect(again.hidden).toBe(false)
    again.focus()
    says(element)
    expect(again.hidden).toBe(true)
    expect(element.shadowRoot?.activeElement).toHaveTextContent(embedTexts.open)
  })
})
