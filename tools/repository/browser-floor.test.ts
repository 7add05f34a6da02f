import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { CompatData, CompatStatement, Identifier } from '@mdn/browser-compat-data'
import { parseSync } from '@swc/core'
import { type CssNode, parse, walk } from 'css-tree'
import { ROOT } from '../packages.ts'

/**
 * Finds CSS and APIs that the oldest supported browsers lack, by MDN's browser-compat data. Bundlers transform syntax only.
 * Existing lint rules miss some: eslint-plugin-compat has no `AbortSignal.any`, `URL.canParse` or `CloseWatcher`, and rules
 * for CSS have years instead of versions.
 */

const bcd: CompatData = createRequire(import.meta.url)('@mdn/browser-compat-data')

/** Oldest supported version by browser of the data. */
type Floor = Readonly<Record<string, number>>

/**
 * @param browserslist `chrome >= 99, safari >= 15.4`: only lower bounds.
 * `ios_saf` is left out: its engine is Safari's, and the data list features
 * without a use on phones, such as cursors, as missing.
 */
const floorOf = (browserslist: string): Floor =>
  Object.fromEntries(
    browserslist.split(', ').flatMap((bound) => {
      const [browser = '', version] = bound.split(' >= ')
      return browser === 'ios_saf' ? [] : [[browser, Number(version)]]
    }),
  )

/**
 * Returns true also for names that the data do not have: our own, and features
 * that browsers have always had.
 */
function isSupported(compat: CompatStatement | undefined, floor: Floor): boolean {
  if (!compat) return true
  return Object.entries(floor).every(([browser, version]) => {
    // All browsers of the floor are in the data.
    const support = compat.support[browser as keyof typeof compat.support]
    return [support ?? []]
      .flat()
      .some(({ version_added, version_removed, flags, prefix, alternative_name }) => {
        if (flags || prefix || alternative_name || typeof version_added !== 'string') return false
        const added = Number(version_added.replace('≤', ''))
        return added <= version && !(Number(version_removed) <= version)
      })
  })
}

const find = (path: string): CompatStatement | undefined =>
  path.split('/').reduce<Identifier | undefined>(
    (found, name) => (found && Object.hasOwn(found, name) ? found[name] : undefined),
    bcd as unknown as Identifier, // its own type knows the roots only
  )?.__compat

/**
 * Finds CSS that a browser of the floor ignores: a whole rule for one selector,
 * a whole query for one range. Allowed inside `@supports`, and after a
 * supported declaration of the same property.
 * @returns `feature:line` of each
 */
function newerCss(css: string, floor: Floor): string[] {
  const found: string[] = []
  const note = (path: string, { loc }: CssNode) => {
    const known = isSupported(find(`css/${path}`), floor)
    if (!known) found.push(`${path}:${loc?.start.line}`)
    return known
  }
  const declaration = (property: string, node: CssNode): boolean => {
    const known = [note(`properties/${property}`, node)]
    walk(node, (part) => {
      if (part.type === 'Identifier') known.push(note(`properties/${property}/${part.name}`, part))
      if (part.type === 'Function') known.push(note(`types/${part.name}`, part))
      if (part.type === 'Dimension' && /^[dls]v[a-z]+$/.test(part.unit))
        known.push(note('types/length/viewport_percentage_units_dynamic', part))
      if (part.type === 'Dimension') known.push(note(`types/length/${part.unit}`, part))
      if (property === 'content' && part.type === 'Operator' && part.value === '/')
        known.push(note('properties/content/alt_text', part))
    })
    return known.every(Boolean)
  }
  const safe = new WeakMap<object, Set<string>>()
  walk(parse(css, { positions: true }), function visit(node) {
    if (this.atrule?.name === 'supports') return
    if (node.type === 'Atrule') note(`at-rules/${node.name}`, node)
    if (node.type === 'FeatureRange') note('at-rules/media/range_syntax', node)
    if (node.type === 'Feature') note(`at-rules/media/${node.name}`, node)
    if (node.type === 'PseudoClassSelector' || node.type === 'PseudoElementSelector')
      note(`selectors/${node.name}`, node)
    if (node.type !== 'Declaration' || !this.block) return
    const before = safe.get(this.block) ?? new Set()
    safe.set(this.block, before)
    if (!before.has(node.property) && declaration(node.property, node)) before.add(node.property)
  })
  return found
}

const ROOTS = ['javascript/builtins', 'api']

/** Objects of the language whose methods are recognised by name. */
const BUILTINS = ['Array', 'String', 'RegExp', 'Promise', 'Date', 'Number', 'Map']

interface Node {
  readonly type?: string
  readonly value?: string
  readonly optional?: boolean
  readonly base?: Node
  readonly callee?: Node
  readonly object?: Node
  readonly property?: Node
}

/**
 * Finds APIs that a browser of the floor lacks: globals, their members, and
 * methods of the language's objects. Allowed after `?.`, and where the file
 * checks `'name' in`. Other members of a DOM object in a variable are not found:
 * that needs types.
 * @returns the name of each
 */
function newerApis(source: string, floor: Floor, tsx = false): string[] {
  const found = new Set<string>()
  const global = (name: string) => {
    if (!ROOTS.every((root) => isSupported(find(`${root}/${name}`), floor))) found.add(name)
  }
  const member = (object: string | undefined, name: string) => {
    // An object is often named like its interface, and a global one always is.
    const owner = object?.replace(/^[a-z]/, (first) => first.toUpperCase())
    const kind = owner === object ? '_static' : ''
    const own = ROOTS.flatMap(
      (root) => find(`${root}/${owner}/${name}${kind}`) ?? find(`${root}/${owner}/${name}`) ?? [],
    )
    const all =
      own.length > 0
        ? own
        : BUILTINS.flatMap((one) => find(`javascript/builtins/${one}/${name}`) ?? [])
    if (
      all.length > 0 &&
      !all.some((compat) => isSupported(compat, floor)) &&
      !source.includes(`'${name}' in `)
    )
      found.add(`${own.length > 0 ? owner : ''}.${name}`)
  }
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    // The parts of swc's nodes that are read here.
    const { type, optional, base, callee, object, property } = node as Node
    if (type === 'OptionalChainingExpression' && optional && base) {
      // What follows `?.` may be missing; what comes before may not.
      for (const part of [base.callee ?? {}, { ...base, callee: {} }]) visit(Object.values(part))
      return
    }
    if ((type === 'NewExpression' || type === 'CallExpression') && callee?.type === 'Identifier')
      global(callee.value ?? '')
    if (type === 'MemberExpression' && property?.type === 'Identifier')
      member(object?.type === 'Identifier' ? object.value : undefined, property.value ?? '')
    for (const part of Object.values(node)) visit(part)
  }
  visit(parseSync(source, { syntax: 'typescript', tsx }))
  return [...found]
}

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const floorIn = (file: string) => floorOf(/BROWSERS = '(.+)'/.exec(read(file))?.[1] ?? '')

const APP = floorIn('build/src/base.ts')
const EMBED = floorIn('mf-megalive/embed.rspack.config.js')

test('CSS: features that older browsers lack are found', () => {
  expect(newerCss('@media (width < 1200px) { a { color: red } }', APP)).toEqual([
    'at-rules/media/range_syntax:1',
  ])
  expect(newerCss('a { rotate: 1turn; scale: 2; translate: 0 1px }', APP)).toEqual([
    'properties/rotate:1',
    'properties/scale:1',
    'properties/translate:1',
  ])
  expect(newerCss('a::before { content: "‹" / "" }', APP)).toEqual([
    'properties/content/alt_text:1',
  ])
  expect(newerCss('a:focus-visible, b:has(i) { color: red }', APP)).toEqual(['selectors/has:1'])
})

test('APIs: globals, members and methods that older browsers lack are found', () => {
  const source =
    'AbortSignal.any([]); new URLPattern(x); navigator.vibrate(1); list.toSorted(); structuredClone(x)'
  expect(newerApis(source, APP)).toEqual([
    'AbortSignal.any',
    'URLPattern',
    'Navigator.vibrate',
    '.toSorted',
  ])
  expect(newerApis('list.map(f).at(-1); scheduler?.yield(); Object.hasOwn(x, y)', APP)).toEqual([])
  expect(
    newerApis('list.findLast(f)?.x; list.with?.(0); list.flat().toReversed?.().toSpliced()', APP),
  ).toEqual(['.findLast', '.toSpliced'])
  expect(newerApis("'share' in navigator && navigator.share()", APP)).toEqual([])
  expect(newerApis('Object.hasOwn(x, y)', EMBED)).toEqual(['Object.hasOwn'])
})

/** Without these a page only looks a little plainer. */
const LOOKS =
  /^properties\/(overscroll-behavior|text-wrap|text-size-adjust|text-underline-offset|color-scheme)|^properties\/-webkit-|^at-rules\/media\/forced-colors|^selectors\/-(webkit|moz)-progress/
/** Browsers without it draw a focus ring of their own. */
const FOCUS = /^selectors\/focus-visible/

const committed = execFileSync(
  'git',
  ['ls-files', 'shell', 'shared', 'mf-*', 'tools/new-remote/templates'],
  {
    cwd: ROOT,
    encoding: 'utf8',
  },
).split('\n')
const sources = (pattern: RegExp) =>
  committed.filter((file) => pattern.test(file)).map((file) => ({ file, source: read(file) }))
/** Returns the contents of elements with this name in our HTML files. */
const inline = (tag: string) =>
  sources(/\.html$/).flatMap(({ file, source }) =>
    [...source.matchAll(new RegExp(`<${tag}>([^]*?)</${tag}>`, 'g'))].map(([, text = '']) => ({
      file,
      source: text,
    })),
  )
const isEmbed = (file: string) => /^mf-megalive\/src\/(element|mega-live)/.test(file)

test('every style works in the oldest supported browsers', () => {
  const newer = [...sources(/\.css$/), ...inline('style')].flatMap(({ file, source }) =>
    newerCss(source, APP).map((feature) => ({ file, feature })),
  )
  expect(newer.filter(({ feature }) => !LOOKS.test(feature))).toEqual([])
})

test('every script works in its oldest supported browsers', () => {
  const scripts = sources(/\/(src|public)\/.*(?<!\.test|fixtures|harness)\.(ts|tsx|js)$/)
  const newer = [...scripts, ...inline('script')].flatMap(({ file, source }) =>
    newerApis(source, isEmbed(file) ? EMBED : APP, file.endsWith('x')).map((api) => ({
      file,
      api,
    })),
  )
  expect(newer).toEqual([])
})

test('the styles of the embed work in its oldest supported browsers', () => {
  const [, css = ''] = /css = `(.*)`/s.exec(read('mf-megalive/src/element/sheet.ts')) ?? []
  const newer = newerCss(css, EMBED).filter(
    (feature) => !LOOKS.test(feature) && !FOCUS.test(feature),
  )
  expect(newer).toEqual([])
})
