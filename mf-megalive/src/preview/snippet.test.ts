import { snippet } from './snippet.ts'

const script = 'https://event.example/embed/mega-live.js'
const src = 'https://live.example/register'

test('two lines, with nothing that was not chosen', () => {
  expect(snippet({ script, src, seconds: 10 })).toBe(
    `<script src="${script}" async></script>\n<mega-live src="${src}"></mega-live>`,
  )
})

test('everything chosen', () => {
  expect(
    snippet({
      script,
      integrity: 'sha384-abc',
      src,
      seconds: 7.5,
      backHref: '/',
      label: 'Đêm quay số',
      requireReady: true,
      style: { height: '480px', '--mega-live-accent': '#ffffff' },
    }),
  ).toBe(
    `<script src="${script}" integrity="sha384-abc" crossorigin="anonymous" async></script>\n` +
      `<mega-live src="${src}" timeout="7500" back-href="/" label="Đêm quay số" require-ready ` +
      'style="height: 480px; --mega-live-accent: #ffffff"></mega-live>',
  )
})

test('what is typed cannot leave its attribute', () => {
  const label = "\"><img src=x onerror=alert(1)> & 'more'"
  const holder = document.createElement('template')
  holder.innerHTML = snippet({ script, src: `${src}?a=1&b="2"`, label })
  const [, element, ...rest] = holder.content.children
  expect(rest).toEqual([])
  expect(element?.getAttribute('label')).toBe(label)
  expect(element?.getAttribute('src')).toBe(`${src}?a=1&b="2"`)
})
