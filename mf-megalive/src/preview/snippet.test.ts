import { snippet } from './snippet.ts'

const script = 'https://event.example/embed/mega-live.js'
const src = 'https://live.example/register'

test('the newest script, and a pinned one', () => {
  const attributes = { src, 'require-ready': '', style: 'height: 480px' }
  const element = `<mega-live src="${src}" require-ready style="height: 480px"></mega-live>`
  expect(snippet({ script, attributes })).toBe(`<script src="${script}" async></script>\n${element}`)
  expect(snippet({ script, integrity: 'sha384-abc', attributes })).toBe(
    `<script src="${script}" integrity="sha384-abc" crossorigin="anonymous" async></script>\n${element}`,
  )
})

test('what is typed cannot leave its attribute', () => {
  const label = "\"><img src=x onerror=alert(1)> & 'more'"
  const holder = document.createElement('template')
  holder.innerHTML = snippet({ script, attributes: { src: `${src}?a=1&b="2"`, label } })
  const [, element, ...rest] = holder.content.children
  expect(rest).toEqual([])
  expect(element?.getAttribute('label')).toBe(label)
  expect(element?.getAttribute('src')).toBe(`${src}?a=1&b="2"`)
})
