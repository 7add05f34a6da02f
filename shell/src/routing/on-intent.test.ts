import { fireEvent } from '@testing-library/dom'
import { onIntent } from './on-intent.ts'

const asked: string[] = []
onIntent((path) => asked.push(path))

beforeEach(() => {
  asked.length = 0
  document.body.innerHTML =
    '<a href="/login"><img alt="Đăng nhập"></a><button data-path="/histories"><span>Lịch sử</span></button><button>Nhận vé</button>'
})
const one = (selector: string) => document.querySelector(selector) as Element // just written

test('a hovered, focused or touched link, or control that carries its path, tells where it leads', () => {
  fireEvent.pointerOver(one('img'))
  fireEvent.focusIn(one('a'))
  fireEvent.touchStart(one('img'))
  fireEvent.pointerOver(one('span'))
  expect(asked).toEqual(['/login', '/login', '/login', '/histories'])
})

test('nothing else does', () => {
  fireEvent.pointerOver(one('button:last-child'))
  fireEvent.pointerOver(document.body)
  fireEvent.focusIn(document)
  expect(asked).toEqual([])
})
