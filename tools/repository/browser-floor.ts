import { createRequire } from 'node:module'
import type { CompatData, CompatStatement, Identifier } from '@mdn/browser-compat-data'
import { parseSync } from '@swc/core'
import { type CssNode, parse, walk } from 'css-tree'

/**
 * What the oldest supported browsers lack, by MDN's browser-compat data. Bundlers lower syntax, but no property, selector,
 * value or API. stylelint's and ESLint's rules know Baseline years or can-i-use's tables instead: not our versions, and not
 * these four: media query ranges, individual transforms, alternative texts of `content`, selectors in one list.
 */

const bcd: CompatData = createRequire(import.meta.url)('@mdn/browser-compat-data')

/** Browser of the data → version. */
export type Floor = Readonly<Record<string, number>>

/**
 * @param browserslist `chrome >= 99, safari >= 16.4`: only lower bounds. `ios_saf` is left out: its engine is Safari's, and
 * the data count as lacking what a phone has no use for, such as cursors.
 */
export const floorOf = (browserslist: string): Floor =>
  Object.fromEntries(
    browserslist.split(', ').flatMap((bound) => {
      const [browser = '', version] = bound.split(' >= ')
      return browser === 'ios_saf' ? [] : [[browser, Number(version)]]
    }),
  )

/** Also true for what the data lack: our own names, and what browsers have always had. */
function isSupported(compat: CompatStatement | undefined, floor: Floor): boolean {
  if (!compat) return true
  return Object.entries(floor).every(([browser, version]) => {
    // The floor names browsers of the data.
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
 * CSS that a browser at the floor drops: a whole rule for one selector, a whole query for one range. Allowed inside
 * `@supports`, and after a declaration of the same property that all know.
 * @returns `feature:line` of each
 */
export function newerCss(css: string, floor: Floor): string[] {
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

/** Interfaces of the objects that every page has. */
const GLOBALS: Readonly<Record<string, string>> = {
  navigator: 'Navigator',
  document: 'Document',
  location: 'Location',
  history: 'History',
  performance: 'Performance',
  crypto: 'Crypto',
}
const ROOTS = ['javascript/builtins', 'api']

/** The language's objects whose methods are known by their name alone: few others are named like those. */
const BUILTINS = ['Array', 'String', 'RegExp', 'Promise', 'Date', 'Number', 'Map']

/**
 * APIs that a browser at the floor lacks: globals, their members, and methods that the language's own objects lack
 * there. Allowed after `?.`, and where the file asks `'name' in`. Members of a DOM object in a variable are not seen: they
 * take types.
 * @returns the name of each
 */
export function newerApis(source: string, floor: Floor, tsx = false): string[] {
  const found = new Set<string>()
  const global = (name: string) => {
    if (!ROOTS.every((root) => isSupported(find(`${root}/${name}`), floor))) found.add(name)
  }
  const member = (object: string | undefined, name: string) => {
    const owner = object && (GLOBALS[object] ?? object)
    const own = ROOTS.flatMap(
      (root) => find(`${root}/${owner}/${name}_static`) ?? find(`${root}/${owner}/${name}`) ?? [],
    )
    const all =
      own.length > 0 ? own : BUILTINS.flatMap((one) => find(`javascript/builtins/${one}/${name}`) ?? [])
    if (
      all.length > 0 &&
      !all.some((compat) => isSupported(compat, floor)) &&
      !source.includes(`'${name}' in `)
    )
      found.add(`${own.length > 0 ? owner : ''}.${name}`)
  }
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    // Nodes of swc's tree, as far as they are read here.
    const { type, callee, object, property } = node as Record<
      string,
      { type?: string; value?: string } | undefined
    > & { type?: string }
    if (type === 'OptionalChainingExpression') return
    if ((type === 'NewExpression' || type === 'CallExpression') && callee?.type === 'Identifier')
      global(callee.value ?? '')
    if (type === 'MemberExpression' && property?.type === 'Identifier')
      member(object?.type === 'Identifier' ? object.value : undefined, property.value ?? '')
    for (const part of Object.values(node)) visit(part)
  }
  visit(parseSync(source, { syntax: 'typescript', tsx }))
  return [...found]
}
