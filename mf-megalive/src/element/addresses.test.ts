import { embeddable, navigable } from './addresses.ts'

const BASE = 'https://brand.example/campaign/'
const ORIGIN = 'https://brand.example'

describe('embeddable', () => {
  test.each([
    ['https://live.example/register?a=1#b', 'https://live.example/register?a=1#b'],
    ['//live.example/', 'https://live.example/'],
    ['/megalive-sample.html', 'https://brand.example/megalive-sample.html'],
    ['http://localhost:3000/x', 'http://localhost:3000/x'],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080/'],
    ['http://[::1]/', 'http://[::1]/'],
    ['http://live.localhost/', 'http://live.localhost/'],
    ['  https://live.example/  ', 'https://live.example/'],
  ])('takes %s', (address, url) => {
    expect(embeddable(address, BASE, ORIGIN)?.href).toBe(url)
  })

  test.each([
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'blob:https://brand.example/0',
    'about:blank',
    'file:///etc/passwd',
    'ftp://live.example/',
    'http://live.example/',
    'http://localhost.live.example/',
    'http://127.0.0.1.live.example/',
    'http://notlocalhost/',
    'https://user:secret@live.example/',
    'https://',
    'https://[',
  ])('refuses %j', (address) => {
    expect(embeddable(address, BASE, ORIGIN)).toBeUndefined()
  })

  test('takes plain http on the page’s own origin, so that a test system without certificates works', () => {
    expect(embeddable('/live', 'http://intranet/', 'http://intranet')?.href).toBe('http://intranet/live')
    expect(embeddable('http://other/live', 'http://intranet/', 'http://intranet')).toBeUndefined()
  })
})

test('the way back is a web address or nothing', () => {
  expect(navigable('/', BASE)).toBe('https://brand.example/')
  expect(navigable('http://other.example/', BASE)).toBe('http://other.example/')
  expect(navigable('javascript:alert(1)', BASE)).toBeUndefined()
  expect(navigable('data:text/html,x', BASE)).toBeUndefined()
})
