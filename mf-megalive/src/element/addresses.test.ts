import { embeddableAddress, navigableAddress } from './addresses.ts'

const BASE = 'https://brand.example/campaign/'
const OWN = 'https://brand.example'

test.each([
  ['https://live.example/register?a=1#b', 'https://live.example/register?a=1#b'],
  ['//live.example/', 'https://live.example/'],
  ['/megalive-sample.html', 'https://brand.example/megalive-sample.html'],
  ['http://localhost:3000/x', 'http://localhost:3000/x'],
  ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080/'],
  ['http://[::1]/', 'http://[::1]/'],
  ['http://live.localhost/', 'http://live.localhost/'],
  ['  https://live.example/  ', 'https://live.example/'],
])('%s may be embedded', (address, url) => {
  expect(embeddableAddress(address, BASE, OWN)?.url).toBe(url)
})

test.each([
  'javascript:alert(1)',
  ' JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'blob:https://brand.example/0',
  'about:blank',
  'file:///etc/passwd',
  'http://live.example/',
  'http://localhost.live.example/',
  'http://127.0.0.1.live.example/',
  'http://notlocalhost/',
  'https://user:secret@live.example/',
  'https://[',
])('%j may not', (address) => {
  expect(embeddableAddress(address, BASE, OWN)).toBeUndefined()
})

test('plain http works on the page’s own origin, for a test system without certificates', () => {
  expect(embeddableAddress('/live', 'http://intranet/', 'http://intranet')?.url).toBe(
    'http://intranet/live',
  )
  expect(
    embeddableAddress('http://other/live', 'http://intranet/', 'http://intranet'),
  ).toBeUndefined()
})

test('a page of another origin keeps its origin, one of our own loses it', () => {
  const sandbox = 'allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox'
  expect(embeddableAddress('https://live.example/x', BASE, OWN)).toMatchObject({
    sandbox: `${sandbox} allow-same-origin`,
    origin: 'https://live.example',
  })
  expect(embeddableAddress('/x', BASE, OWN)).toMatchObject({ sandbox })
})

test('the back link accepts only web addresses', () => {
  expect(navigableAddress('/', BASE)).toBe('https://brand.example/')
  expect(navigableAddress('http://other.example/', BASE)).toBe('http://other.example/')
  for (const address of [null, '', 'javascript:alert(1)', 'data:text/html,x'])
    expect(navigableAddress(address, BASE)).toBeUndefined()
})
