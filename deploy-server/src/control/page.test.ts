import { callerWith } from '@anniversary/deploy/test/fixture-builds'
import { controlNight } from '../../test/control-night.ts'
import { controlPage } from './page.ts'
import type { ControlState } from './state.ts'

const page = (more: Partial<ControlState> = {}, packages = ['*']) =>
  controlPage({ ...controlNight, ...more }, callerWith({ packages })).markup

test('buttons are shown for the packages of the token', () => {
  const verbsOf = (markup: string) =>
    [...markup.matchAll(/verb=([\w-]+)&amp;name=([\w-]*)/g)].map(([, verb, name]) =>
      `${verb} ${name}`.trim(),
    )
  expect(verbsOf(page({}, ['mf-history']))).toEqual([
    'undo',
    'rollback mf-history',
    'enable mf-history',
  ])
  expect(verbsOf(page({}, ['mf-auth']))).toEqual(['rollback mf-auth', 'disable mf-auth'])
  const first = page({ live: { ...live, number: 1 }, rollbacks: { answer: [] } })
  expect(verbsOf(first).filter((verb) => /undo|rollback/.test(verb))).toEqual([])
})

const cards = (markup: string) =>
  [...markup.matchAll(/<article.*?id="([^"]+)"/g)].map(([, name]) => name)

test('alarms come first, with the action that ends them', () => {
  const night = page()
  const [, first] = night.split('alarm">')
  expect(night).toContain('<h1>2 alarms</h1>')
  expect(first).toContain('mf-missions</a>: CanaryThrows for 1.5.0-e20b66: throws in 4.1 % of its')
  expect(first).toContain(
    'primary" href="/control/act?verb=stop-canary&amp;name=mf-missions&amp;from=42"',
  )
  expect(night).toContain('mf-history</a>: switched off')
  expect(cards(night)).toEqual(['mf-missions', 'mf-history', 'mf-auth', 'shell'])
})

const { live } = controlNight
const { 'mf-missions': missions } = live.remotes
if (!missions) throw new Error('the night has it')
const { current } = missions

test.each<[verb: string, packages: string[], offered: boolean]>([
  ['publish', ['mf-missions'], true],
  ['rollback', ['mf-missions'], true],
  ['configure', [], true],
  ['rollback site', ['mf-missions'], false],
  ['freeze', [], false],
  ['notice', [], false],
  ['repair', [], false],
])('a %s of %j has an undo button: %j', (verb, packages, offered) => {
  const change = { ...live.change, verb, packages }
  expect(page({ live: { ...live, change } }).includes('verb=undo')).toBe(offered)
})

test('the end of a canary has no undo button', () => {
  const { canary: _, ...stopped } = missions
  const remotes = { ...live.remotes, 'mf-missions': stopped }
  const change = { ...live.change, verb: 'canary stop', packages: ['mf-missions'] }
  const next = { ...live, number: live.number + 1, remotes, change }
  expect(page({ live: next, records: [next, live] })).not.toContain('verb=undo')
})

/** One remote without a canary, and an alert about a version of it. */
function pageWithAlert(version: string, remote = 'mf-missions'): string {
  const alert = { name: 'RemoteThrows', remote, version, summary: 'throws' }
  return page({
    live: { ...live, remotes: { 'mf-missions': { status: 'on', current } } },
    views: { problem: 'no figures yet' },
    alerts: { answer: [alert] },
  })
}

test('an alert about the current release offers a rollback, one about another nothing', () => {
  expect(pageWithAlert(current.version)).toMatch(
    /<h1>1 alarm<.*RemoteThrows for 1\.4\.2-7c1fa9: throws<.*primary" href="[^"]*verb=rollback/s,
  )
  expect(pageWithAlert('1.4.1-aa90be11c073')).toMatch(/RemoteThrows for 1\.4\.1(?!.*primary")/s)
})

test.each([
  ['page', '', /RemoteThrows: throws/],
  ['mf-removed', '1.4.1-aa90be11c073', /RemoteThrows for 1\.4\.1-aa90be: throws/],
  ['constructor', '', /RemoteThrows: throws/],
])('an alert about %s, which is not live, is an alarm', (name, version, text) => {
  const markup = pageWithAlert(version, name)
  expect(markup).toContain('<h1>1 alarm<')
  expect(markup).toContain(`<p>${name}: `)
  expect(markup).toMatch(text)
  expect(markup).not.toContain('primary"')
})

test('the page opens without Prometheus and without the API', () => {
  const markup = page({
    live: { ...live, remotes: { 'mf-missions': { status: 'on', current } } },
    views: { problem: 'no Prometheus' },
    alerts: { problem: 'no rules' },
    errors: { problem: 'no API' },
  })
  expect(markup).toContain('<h1>Alarms unknown</h1>\n<p>no Prometheus</p><p>no rules</p>')
  expect(markup).toContain('<p>no API</p>')
})

test('texts of records and reports are escaped', () => {
  const evil = '"><img src=x onerror=alert(1)><\'&'
  const [error] = 'answer' in controlNight.errors ? controlNight.errors.answer : []
  if (!error) throw new Error('the night has one')
  const evilRecord = { ...live, change: { ...live.change, by: evil, summary: evil } }
  const markup = page({
    site: evil,
    live: evilRecord,
    records: [evilRecord],
    errors: { answer: [{ ...error, message: evil, routes: [evil] }] },
  })
  expect(markup).not.toContain('<img')
  // A text that runs from right to left reverses itself alone.
  expect(markup).toContain('<bdi>&quot;&gt;')
  expect(markup).toContain('03:04 GMT+7')
  expect(markup).toContain('&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&lt;&#39;&amp;')
})
