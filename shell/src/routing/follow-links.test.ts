import { ATTRIBUTES } from '@anniversary/shared/contract/page-names'
import { fireEvent } from '@testing-library/dom'
import { followLinks, onLinkIntent } from './follow-links.ts'
import { ignoreSecondTaps } from './ignore-second-taps.ts'

const visited: string[] = []
const asked: string[] = []
onLinkIntent((path) => asked.push(path))
let isRouted = true
const end = followLinks((path) => {
  visited.push(path)
  return isRouted
})
const endTaps = ignoreSecondTaps()
afterAll(() => {
  end()
  endTaps()
})

/** @returns whether the browser would follow the link itself */
function click(html: string, how: MouseEventInit = {}) {
  document.body.innerHTML = html
  return fireEvent.click(document.querySelector('a, span, i') as Element, how)
}

beforeEach(() => {
  visited.length = 0
  asked.length = 0
  document.documentElement.removeAttribute(ATTRIBUTES.basePath)
})

test.each([
  ['/login', '', '<a href="/login">x</a>'],
  ['/new/page', '', '<a href="/new/page"><i>x</i></a>'],
  // In a preview, its folder in front of a prerendered link is no part of the
  // path.
  ['/login', '/preview/1', '<a href="/preview/1/login">x</a>'],
  ['/', '/preview/1', '<a href="/preview/1/">x</a>'],
  ['/check', '/preview/1', '<a href="/check">x</a>'],
])('a click on a link to %s needs no page load, below %p', (path, base, html) => {
  document.documentElement.setAttribute(ATTRIBUTES.basePath, base)
  expect(click(html)).toBe(false)
  expect(visited).toEqual([path])
})

test('without the router the browser follows a link', () => {
  isRouted = false
  expect(click('<a href="/login">x</a>')).toBe(true)
  isRouted = true
})

test("a link in a preview gets the preview's folder", () => {
  document.documentElement.setAttribute(ATTRIBUTES.basePath, '/preview/1')
  document.body.innerHTML =
    '<a href="/login">x</a><a href="/robots.txt">x</a><p id="preview"><a href="/">x</a></p>'
  const links = [...document.querySelectorAll('a')]
  for (const link of [...links, ...links]) fireEvent.focusIn(link)
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    '/preview/1/login',
    '/robots.txt',
    '/',
  ])
  expect(new Set(asked)).toEqual(new Set(['/login', '/robots.txt', '/']))
})

test.each([
  ['a file', '<a href="/robots.txt">x</a>', {}],
  ['another site', '<a href="//evil.example/x">x</a>', {}],
  ['an address', '<a href="https://live.example/x">x</a>', {}],
  ['a place in the page', '<a href="#main">x</a>', {}],
  ['a new tab', '<a href="/login" target="_blank">x</a>', {}],
  ['a press with Ctrl', '<a href="/login">x</a>', { ctrlKey: true }],
  ['the middle button', '<a href="/login">x</a>', { button: 1 }],
  ['what the page has handled', '<a href="/login" onclick="event.preventDefault()">x</a>', {}],
])('the browser handles %s', (_, html, how) => {
  document.addEventListener('click', (event) => event.preventDefault(), { once: true })
  click(html, how)
  expect(visited).toEqual([])
})

test('a hovered, focused or touched control announces its path', () => {
  document.body.innerHTML =
    '<a href="/login"><img alt="Đăng nhập"></a><button data-path="/histories"><span>Lịch sử</span></button><button>Nhận vé</button>'
  const one = (selector: string) => document.querySelector(selector) as Element // just written
  fireEvent.pointerOver(one('img'))
  fireEvent.focusIn(one('a'))
  fireEvent.touchStart(one('img'))
  fireEvent.pointerOver(one('span'))
  for (const other of [one('button:last-child'), document.body, document]) fireEvent.focusIn(other)
  expect(asked).toEqual(['/login', '/login', '/login', '/histories'])
})

const TAP = { bubbles: true, cancelable: true, detail: 1, clientX: 180, clientY: 300 }
function press(control: Element | undefined, timeStamp: number, init: MouseEventInit) {
  const event = new MouseEvent('click', { ...TAP, ...init })
  Object.defineProperty(event, 'timeStamp', { value: timeStamp })
  control?.dispatchEvent(event)
}

test.each<[string, boolean, number, MouseEventInit]>([
  ['at once and nearby', false, 110, { clientX: 190 }],
  ['later', true, 900, {}],
  ['elsewhere', true, 110, { clientY: 360 }],
  ['by a key', true, 110, { detail: 0, clientX: 0, clientY: 0 }],
])('a click %s after a move acts: %p', (_, acts, after, how) => {
  document.body.innerHTML =
    '<a href="/login">x</a><a href="/check">x</a><a target="_blank">x</a><button>x</button>'
  const pressed = jest.fn()
  const [gate, ...others] = document.body.children
  for (const other of others) other.addEventListener('click', pressed)
  others.forEach((other, index) => {
    history.replaceState(null, '', '/')
    press(gate, index * 2000, {})
    history.replaceState(null, '', '/login')
    press(other, index * 2000 + after, how)
  })
  expect(pressed).toHaveBeenCalledTimes(acts ? others.length : 0)
  expect(visited.filter((path) => path === '/check')).toHaveLength(acts ? 1 : 0)
})
