import { texts } from '../texts.ts'
import { defineMegaLive } from './define.ts'
import type { MegaLiveElement } from './mega-live.ts'

const LIVE = 'https://live.example/register'

const EVENTS = ['ready', 'timeout', 'refused', 'back', 'open'].map((name) => `mega-live-${name}`)
let heard: { type: string; detail: unknown }[] = []
function hear(event: Event) {
  // Only our own events are listened to, and they are CustomEvents.
  heard.push({ type: event.type, detail: (event as CustomEvent).detail })
}

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['queueMicrotask'] })
  heard = []
  for (const name of EVENTS) document.addEventListener(name, hear)
  defineMegaLive()
})

afterEach(() => {
  for (const name of EVENTS) document.removeEventListener(name, hear)
  document.body.replaceChildren()
  jest.useRealTimers()
})

function make(attributes: Record<string, string> = { src: LIVE }): MegaLiveElement {
  const element = document.createElement('mega-live')
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  return element
}
function put(attributes?: Record<string, string>) {
  const element = make(attributes)
  document.body.append(element)
  return element
}
/** Queries inside the shadow root. */
function inside(element: MegaLiveElement) {
  const root = element.shadowRoot
  if (!root) throw new Error('no shadow root')
  return root
}
function frame(element: MegaLiveElement) {
  const found = inside(element).querySelector('iframe')
  if (!found) throw new Error('no frame')
  return found
}
/** jsdom loads no frames inside shadow roots: gives the embed's frame a window of a frame outside. */
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
const words = (element: MegaLiveElement) => inside(element).textContent ?? ''

// spec: embed-overlay
test('covers the frame until it loads, and tells how', () => {
  const element = put()
  expect(inside(element).querySelector('[role=status]')).toHaveTextContent(texts.loading)
  expect(frame(element).inert).toBe(true)
  loads(element)
  expect(words(element)).not.toContain(texts.loading)
  expect(frame(element).inert).toBe(false)
  expect(element.phase).toBe('shown')
  expect(heard).toEqual([
    { type: 'mega-live-ready', detail: { by: 'load', late: false, ms: expect.any(Number) } },
  ])
})

// spec: embed-fallback
test('falls back after 10 seconds: objects, message, and the way to a new tab, until a late load', () => {
  const element = put()
  jest.advanceTimersByTime(9_999)
  expect(element.phase).toBe('loading')
  jest.advanceTimersByTime(1)
  expect(element.phase).toBe('fallback')
  const root = inside(element)
  expect(root.querySelector('object > embed')).not.toBeNull()
  expect(root.querySelector('object')?.data).toBe(LIVE)
  expect(root.querySelector('embed')?.src).toBe(LIVE)
  expect(root.querySelector('[role=alert]')).toHaveTextContent(texts.unsupported)
  expect(root.querySelector('a.open')).toHaveAttribute('href', LIVE)
  expect(root.querySelector('iframe')).not.toBeNull()
  loads(element)
  expect(root.querySelector('object')).toBeNull()
  expect(words(element)).not.toContain(texts.unsupported)
  expect(heard).toEqual([
    { type: 'mega-live-timeout', detail: { ms: expect.any(Number) } },
    { type: 'mega-live-ready', detail: { by: 'load', late: true, ms: expect.any(Number) } },
  ])
})

test('a late load does not take away the object in which the member is at work', () => {
  const element = put()
  jest.advanceTimersByTime(10_000)
  const object = inside(element).querySelector('object')
  object?.setAttribute('tabindex', '0')
  object?.focus()
  loads(element)
  expect(inside(element).querySelector('object')).toBe(object)
  expect(words(element)).not.toContain(texts.unsupported)
  expect(element.phase).toBe('shown')
})

describe('ready', () => {
  test('counts from the frame and its origin, before load', () => {
    const element = put()
    says(element)
    expect(element.phase).toBe('shown')
    expect(heard).toEqual([
      { type: 'mega-live-ready', detail: { by: 'message', late: false, ms: expect.any(Number) } },
    ])
    loads(element)
    expect(heard).toHaveLength(1)
  })

  test('does not count from another origin, another window, or in other words; it does from a listed origin', () => {
    const element = put({ src: LIVE, 'ready-origins': ' https://www.live.example  https://b.example ' })
    says(element, { origin: 'https://evil.example' })
    says(element, { origin: 'null' })
    says(element, { source: window })
    says(element, { source: null })
    says(element, { data: { type: 'hello' } })
    expect(element.phase).toBe('loading')
    says(element, { origin: 'https://b.example' })
    expect(element.phase).toBe('shown')
  })

  test('of a page on our own origin comes from nowhere, as that page is sandboxed without one', () => {
    const element = put({ src: '/sample.html' })
    expect(frame(element)).toHaveAttribute(
      'sandbox',
      'allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox',
    )
    says(element, { origin: window.origin })
    expect(element.phase).toBe('loading')
    says(element, { origin: 'null' })
    expect(element.phase).toBe('shown')
  })

  test('hides the question whether something is missing', () => {
    const element = put()
    const hint = inside(element).querySelector<HTMLElement>('.hint')
    loads(element)
    expect(hint?.hidden).toBe(false)
    says(element)
    expect(hint?.hidden).toBe(true)
  })
})

describe('addresses', () => {
  test('one that may not be embedded is refused', async () => {
    const element = put({ src: 'javascript:alert(1)' })
    expect(element.phase).toBe('refused')
    const root = inside(element)
    expect(root.querySelector('iframe, object, embed')).toBeNull()
    expect(root.querySelector('.open')).not.toHaveAttribute('href')
    expect(root.querySelector('[role=alert]')).toHaveTextContent(texts.refused)
    expect(heard).toEqual([])
    await Promise.resolve()
    expect(heard).toEqual([{ type: 'mega-live-refused', detail: { reason: 'src' } }])
  })

  test('the frame gets no permissions, no referrer and a name', () => {
    const element = put({ src: LIVE, label: 'Đêm quay số' })
    expect(frame(element)).toHaveAttribute('allow', '')
    expect(frame(element)).toHaveAttribute('referrerpolicy', 'no-referrer')
    expect(frame(element)).toHaveAttribute('title', 'Đêm quay số')
    expect(frame(element)).toHaveAttribute(
      'sandbox',
      'allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-same-origin',
    )
    element.label = 'Khác'
    expect(frame(element)).toHaveAttribute('title', 'Khác')
  })

  const violation = (disposition: 'enforce' | 'report') =>
    document.dispatchEvent(
      Object.assign(new Event('securitypolicyviolation', { bubbles: true }), {
        effectiveDirective: 'frame-src',
        blockedURI: 'https://live.example',
        disposition,
      }),
    )

  test('a frame that the page’s own policy forbids falls back at once, and stays there', () => {
    const element = put()
    violation('report')
    // A policy that only reports changes nothing.
    expect(element.phase).toBe('loading')
    violation('enforce')
    loads(element)
    expect(element.phase).toBe('blocked')
    expect(words(element)).toContain(texts.unsupported)
    expect(heard).toEqual([{ type: 'mega-live-refused', detail: { reason: 'policy' } }])
  })
})

describe('the way back', () => {
  const link = (element: MegaLiveElement) => {
    const found = inside(element).querySelector<HTMLAnchorElement>('a.back')
    if (!found) throw new Error('no back link')
    return found
  }

  test('is there only with an address', () => {
    const element = put()
    expect(link(element).hidden).toBe(true)
    element.backHref = '/'
    expect(link(element).hidden).toBe(false)
    expect(link(element)).toHaveAttribute('href', `${location.origin}/`)
    expect(link(element)).toHaveTextContent(texts.back)
    element.backHref = 'javascript:alert(1)'
    expect(link(element).hidden).toBe(true)
  })

  test('asks first', () => {
    const element = put({ src: LIVE, 'back-href': '/there' })
    element.addEventListener('mega-live-back', (event) => event.preventDefault())
    const click = new MouseEvent('click', { bubbles: true, cancelable: true })
    link(element).dispatchEvent(click)
    expect(click.defaultPrevented).toBe(true)
    expect(heard).toEqual([{ type: 'mega-live-back', detail: { href: `${location.origin}/there` } }])
  })
})

describe('life', () => {
  test('properties and attributes are one', () => {
    const element = make({})
    expect([element.src, element.timeout, element.requireReady]).toEqual(['', 10_000, false])
    element.src = LIVE
    element.timeout = 2_000
    element.requireReady = true
    element.readyOrigins = 'https://a.example'
    expect(element.outerHTML).toBe(
      `<mega-live src="${LIVE}" timeout="2000" require-ready="" ready-origins="https://a.example"></mega-live>`,
    )
    element.requireReady = false
    element.src = undefined
    expect(element.getAttributeNames()).toEqual(['timeout', 'ready-origins'])
    for (const wrong of ['x', '-1', '0', '']) {
      element.setAttribute('timeout', wrong)
      expect(element.timeout).toBe(10_000)
    }
  })

  test('without an address it waits for one', () => {
    const element = put({})
    jest.advanceTimersByTime(60_000)
    expect([element.phase, heard]).toEqual(['idle', []])
    element.src = LIVE
    expect(element.phase).toBe('loading')
    element.removeAttribute('src')
    expect(element.phase).toBe('idle')
    expect(inside(element).querySelector('iframe')).toBeNull()
  })

  test('removed, it is silent; back again, it begins anew', () => {
    const element = put()
    jest.advanceTimersByTime(9_000)
    element.remove()
    jest.advanceTimersByTime(60_000)
    expect(heard).toEqual([])
    expect(inside(element).querySelector('iframe')).toBeNull()
    document.body.append(element)
    jest.advanceTimersByTime(9_999)
    expect(element.phase).toBe('loading')
    jest.advanceTimersByTime(1)
    expect(heard.map(({ type }) => type)).toEqual(['mega-live-timeout'])
  })

  test('a new address begins anew; a new time-out counts from the start', () => {
    const element = put()
    jest.advanceTimersByTime(6_000)
    element.timeout = 7_000
    jest.advanceTimersByTime(1_000)
    expect(element.phase).toBe('fallback')
    element.src = `${LIVE}?2`
    expect(element.phase).toBe('loading')
    expect(inside(element).querySelectorAll('iframe')).toHaveLength(1)
  })

  test('retry loads again and leaves the keyboard on the embed', () => {
    const element = put()
    jest.advanceTimersByTime(10_000)
    const again = inside(element).querySelector('button')
    expect(again).toHaveTextContent(texts.retry)
    again?.focus()
    again?.click()
    expect(element.phase).toBe('loading')
    expect(inside(element).activeElement).toHaveTextContent(texts.open)
  })
})
