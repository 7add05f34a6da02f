import { fireEvent } from '@testing-library/dom'
import { onIntent } from './on-intent.ts'

const asked: string[] = []
onIntent((path) => asked.push(path))

beforeEach(() => {
  asked.length = 0
  document.body.innerHTML =
    '<a href="/login"><img alt="Đăng nhập"></a><button data-path="/histories"><span>Lịch sử</span></button><button>Nhận vé</button>'
})
function one(selector: string) {
  const element = document.querySelector(selector)
  if (!element) throw new Error(`${selector} is missing`)
  return element
}

test('a hovered, focused or touched link tells where it leads', () => {
  fireEvent.pointerOver(one('img'))
  fireEvent.focusIn(one('a'))
  fireEvent.touchStart(one('img'))
  expect(asked).toEqual(['/login', '/login', '/login'])
})

test('so does a control that carries its path, and no other', () => {
  fireEvent.pointerOver(one('span'))
  fireEvent.pointerOver(one('button:last-child'))
  fireEvent.pointerOver(document.body)
  fireEvent.focusIn(document)
  expect(asked).toEqual(['/histories'])
})
