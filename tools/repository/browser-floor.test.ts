import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../packages.ts'
import { floorOf, newerApis, newerCss } from './browser-floor.ts'

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const floorIn = (file: string) => floorOf(/BROWSERS = '(.+)'/.exec(read(file))?.[1] ?? '')

const APP = floorIn('build/src/base.ts')
const EMBED = floorIn('mf-megalive/embed.rspack.config.js')

test('the four faults that reached old browsers', () => {
  expect(newerCss('@media (width < 1200px) { a { color: red } }', APP)).toEqual([
    'at-rules/media/range_syntax:1',
  ])
  expect(newerCss('a { rotate: 1turn; scale: 2; translate: 0 1px }', APP)).toEqual([
    'properties/rotate:1',
    'properties/scale:1',
    'properties/translate:1',
  ])
  expect(newerCss('a::before { content: "‹" / "" }', APP)).toEqual(['properties/content/alt_text:1'])
  expect(newerCss('a:focus-visible, b:has(i) { color: red }', APP)).toEqual(['selectors/has:1'])
})

test('what is asked for first, or has a fallback, may be newer', () => {
  expect(newerCss('@supports selector(:has(*)) { b:has(i) { color: red } }', APP)).toEqual([])
  expect(newerCss('a { height: 100vh; height: 100dvh }', APP)).toEqual([])
  expect(newerCss('a { height: 100dvh; height: 100vh }', APP)).toHaveLength(1)
})

test('APIs: globals, their members, methods of the language', () => {
  const source =
    'AbortSignal.any([]); new URLPattern(x); navigator.vibrate(1); list.toSorted(); structuredClone(x)'
  expect(newerApis(source, APP)).toEqual(['AbortSignal.any', 'URLPattern', 'Navigator.vibrate', '.toSorted'])
  expect(newerApis('list.map(f).at(-1); scheduler?.yield(); Object.hasOwn(x, y)', APP)).toEqual([])
  expect(newerApis("'share' in navigator && navigator.share()", APP)).toEqual([])
  expect(newerApis('Object.hasOwn(x, y)', EMBED)).toEqual(['Object.hasOwn'])
})

/** Without it a page only looks a little plainer. */
const LOOKS =
  /^properties\/(text-wrap|text-size-adjust|text-underline-offset|color-scheme)|^properties\/-webkit-/
/** Browsers without it draw their own ring. */
const FOCUS = /^selectors\/focus-visible/

const committed = execFileSync('git', ['ls-files', 'shell', 'shared', 'mf-*', 'tools/new-remote/templates'], {
  cwd: ROOT,
  encoding: 'utf8',
})
const files = (pattern: RegExp) => committed.split('\n').filter((file) => pattern.test(file))
const isEmbed = (file: string) => /^mf-megalive\/src\/(element|preview|script)/.test(file)

interface Source {
  readonly file: string
  readonly source: string
}

const sources = (pattern: RegExp): Source[] => files(pattern).map((file) => ({ file, source: read(file) }))
/** What our HTML files have in elements of this name. */
const inline = (tag: string): Source[] =>
  sources(/\.html$/).flatMap(({ file, source }) =>
    [...source.matchAll(new RegExp(`<${tag}>([^]*?)</${tag}>`, 'g'))].map(([, text = '']) => ({
      file,
      source: text,
    })),
  )

test('every style works at the floor', () => {
  const newer = [...sources(/\.css$/), ...inline('style')].flatMap(({ file, source }) =>
    newerCss(source, APP).map((feature) => ({ file, feature })),
  )
  expect(newer.filter(({ feature }) => !LOOKS.test(feature))).toEqual([])
})

test('every script works at its floor', () => {
  const scripts = sources(/\/(src|public)\/.*(?<!\.test|fixtures|harness)\.(ts|tsx|js)$/)
  const newer = [...scripts, ...inline('script')].flatMap(({ file, source }) =>
    newerApis(source, isEmbed(file) ? EMBED : APP, file.endsWith('x')).map((api) => ({ file, api })),
  )
  expect(newer).toEqual([])
})

test('the styles of the embed work at its floor', () => {
  const [, css = ''] = /css = `(.*)`/s.exec(read('mf-megalive/src/element/sheet.ts')) ?? []
  const newer = newerCss(css, EMBED).filter((feature) => !LOOKS.test(feature) && !FOCUS.test(feature))
  expect(newer).toEqual([])
})
