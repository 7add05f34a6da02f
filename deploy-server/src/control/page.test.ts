import type { ComposedRemote } from '@anniversary/shared/contract/composition'
import { controlNight } from '../../test/control-night.ts'
import { controlPage } from './page.ts'
import type { ControlState } from './state.ts'

const page = (more: Partial<ControlState> = {}, packages = ['*']) =>
  controlPage(
    { ...controlNight, ...more },
    { name: 'ann', packages, whoMay: () => [], isKnown: async () => true },
  ).markup

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
  const first = { ...live, number: 1 }
  expect(
    verbsOf(page({ live: first, records: [first] }, ['*'])).filter((verb) =>
      /undo|rollback/.test(verb),
    ),
  ).toEqual([])
})

const cards = (markup: string) =>
  [...markup.matchAll(/<article.*?id="([^"]+)"/g)].map(([, name]) => name)

test('alarms come first, with the action that ends them', () => {
  const night = page()
  const [, first] = night.split('alarm">')
  expect(night).toContain('<h1>2 alarms</h1>')
  expect(first).toContain(
    'mf-missions</a>: the canary is worse than 1.4.2-7c1fa9: threw in 4.1 % of its',
  )
  expect(first).toContain(
    'views instead of 0.6 %, painted late in 16 % of its views instead of 9.0 %</p>',
  )
  expect(first).toContain(
    'primary" href="/control/act?verb=stop-canary&amp;name=mf-missions&amp;from=42"',
  )
  expect(night).toContain('mf-history</a>: switched off')
  expect(cards(night)).toEqual(['mf-missions', 'mf-history', 'mf-auth', 'shell'])
})

const { live, health } = controlNight
const { current, canary } = live.remotes['mf-missions'] ?? {}
if (!current || !canary) throw new Error('the night has both')
/** The site with mf-missions alone, on. */
const only = (missions: Omit<ComposedRemote, 'status'>) => ({
  live: { ...live, remotes: { 'mf-missions': { ...missions, status: 'on' as const } } },
})

test('an alarm needs a version that is clearly worse', () => {
  const worse = page(only({ current: canary.release, previous: current }))
  expect(worse).toMatch(/it is worse than 1\.4\.2.*primary" href="[^"]*verb=rollback/s)
  const like = page(only({ current, previous: { ...current, version: '1.4.1-aa90be11c073' } }))
  expect(like).toContain('<h1>No alarm</h1>')
})

test('a share above its limit is an alarm', () => {
  const quiet = only({ current })
  const recent = (more: object) =>
    health.recent.slice(0, 1).map((counts) => ({ ...counts, views: 400, ...more }))
  const withLately = (more: object) =>
    page({ ...quiet, health: { ...health, day: [], recent: recent(more) } })
  expect(withLately({ threw: 400, failed: 400 })).toMatch(
    /<h1>1 alarm<.*it threw in 100 % of 400 views, did not load in 100 % of 400 views in the last 2 hours.*primary" href="[^"]*verb=rollback/s,
  )
  expect(withLately({ threw: 24, failed: 8 })).toMatch(
    /<h1>No alarm<.h1>\n<p>400 views in the last 2 hours/,
  )
  const none = { day: [], recent: [], errors: [], problem: 'nothing answers' }
  expect(page({ ...quiet, health: none })).toContain('<h1>No figures</h1>\n<p>nothing answers')
})

test('texts of records and reports are escaped', () => {
  const evil = '"><img src=x onerror=alert(1)><\'&'
  const [error] = controlNight.health.errors
  if (!error) throw new Error('the night has one')
  const evilRecord = { ...live, change: { ...live.change, by: evil, summary: evil } }
  const markup = page({
    site: evil,
    live: evilRecord,
    records: [evilRecord],
    health: { ...controlNight.health, errors: [{ ...error, message: evil, routes: [evil] }] },
  })
  expect(markup).not.toContain('<img')
  // A text that runs from right to left reverses itself alone.
  expect(markup).toContain('<bdi>&quot;&gt;')
  expect(markup).toContain('03:04 GMT+7')
  expect(markup).toContain('&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&lt;&#39;&amp;')
})
