import type { PageProps } from '@anniversary/shared/contract/host'
import { createElement, type FunctionComponent } from 'react'
import { prerenderPage } from './prerender.ts'

const prerender = (Page: FunctionComponent<PageProps>) =>
  prerenderPage(import.meta.dirname, 'LoginPage', Page)

const Picture = ({ host }: PageProps) =>
  createElement(
    'p',
    { onClick: () => host.navigate('/') },
    createElement('img', { src: '%BASE%/a.svg' }),
  )
const Styled = () => createElement('p', { style: { height: 10 } })

test('a page becomes HTML without preloads of its pictures', () => {
  expect(prerender(Picture)).toBe('<p><img src="%BASE%/a.svg"/></p>')
})

test.each<[what: string, Page: FunctionComponent<PageProps>]>([
  ['host.config.registerUrl', ({ host }) => createElement('a', { href: host.config.registerUrl })],
  [
    'host.session.current()',
    ({ host }) => createElement('p', null, host.session.current()?.username),
  ],
  ['host.greeting', ({ host }) => createElement('p', null, String(Reflect.get(host, 'greeting')))],
  ['host.clock.now()', ({ host }) => createElement('p', null, host.clock.now().toISOString())],
])('a page that reads %s while it renders fails the build', (what, Page) => {
  expect(() => prerender(Page)).toThrow(`reads ${what}`)
})

test('a page that would not hydrate fails the build with a reason', () => {
  expect(() => prerender(Styled)).toThrow(
    "LoginPage cannot be prerendered: the pages' policy refuses style",
  )
})
