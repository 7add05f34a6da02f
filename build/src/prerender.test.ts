import type { PageProps } from '@anniversary/shared/contract/host'
import { createFakeHost } from '@anniversary/shared/testing/fake-host'
import { createElement, type FunctionComponent } from 'react'
import { buildTimeHost, prerenderPage } from './prerender.ts'

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

const paragraph = (text: unknown) => createElement('p', null, String(text))

test.each<[what: string, Page: FunctionComponent<PageProps>]>([
  ['host.config.registerUrl', ({ host }) => createElement('a', { href: host.config.registerUrl })],
  ['host.session.current()', ({ host }) => paragraph(host.session.current()?.username)],
  ['host.clock.now()', ({ host }) => paragraph(host.clock.now().toISOString())],
  ['host.greeting', ({ host }) => paragraph(Reflect.get(host, 'greeting'))],
  ['host.session.greeting', ({ host }) => paragraph(Reflect.get(host.session, 'greeting'))],
])('a page that reads %s while it renders fails the build', (what, Page) => {
  expect(() => prerender(Page)).toThrow(`reads ${what}`)
})

test('no member of the host gives a prerendered page anything', () => {
  const host = buildTimeHost()
  const given: string[] = []
  const look = (part: object, parent: object, path: string) => {
    for (const name of Object.keys(part)) {
      const known: unknown = Reflect.get(part, name)
      try {
        const found: unknown = Reflect.get(parent, name)
        if (typeof found === 'function') found()
        else if (typeof found !== 'object' || found === null) given.push(path + name)
        else if (typeof known === 'object' && known !== null) look(known, found, `${path}${name}.`)
      } catch {}
    }
  }
  look({ ...createFakeHost(), greeting: 'Chào', calls: [] }, host, '')
  // The same in every site.
  expect(given).toEqual(['contract'])
})

test('a page that would not hydrate fails the build with a reason', () => {
  expect(() => prerender(Styled)).toThrow(
    "LoginPage cannot be prerendered: the pages' policy refuses style",
  )
})
