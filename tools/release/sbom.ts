import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { ROOT } from '../packages.ts'

/*
 * node sbom.ts FOLDER DIST…: writes FOLDER/sbom.cdx.json and
 * FOLDER/licences.txt. They name each package whose code is in the builds, as
 * their source maps say, or that is shipped whole, and no other: not what only
 * builds and tests use.
 */

interface Part {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly folder: string
}

const MODULES = 'node_modules/'
const FONTS = join(ROOT, MODULES, '@fontsource')
const LICENCE_FILE = /^(licen[cs]e|copying|notice)\b/i

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file))

/**
 * Returns the folder of the package that a file belongs to; undefined for our
 * own files. What a package has bundled itself, as glob does, is found where
 * npm has installed it for that package.
 */
function packageFolder(file: string): string | undefined {
  const start = file.lastIndexOf(MODULES)
  if (start < 0) return undefined

  const [scopeOrName = '', name = ''] = file.slice(start + MODULES.length).split('/')
  const path = scopeOrName.startsWith('@') ? `${scopeOrName}/${name}` : scopeOrName
  const folder = file.slice(0, start + MODULES.length) + path
  if (existsSync(join(folder, 'package.json'))) return folder
  return packageFolder(`${dirname(file.slice(0, start))}/${path}`)
}

/**
 * Returns the files from which a build was made. Paths in maps of the site
 * begin at the repository's root.
 */
function sourcesOf(map: string): string[] {
  const { sources } = JSON.parse(readFileSync(map, 'utf8')) as { sources: string[] } // a source map
  return sources.map((source) =>
    source.startsWith('.') ? resolve(dirname(map), source) : join(ROOT, source),
  )
}

function partIn(folder: string): Part {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return { license: 'unknown', ...manifest, folder }
}

function licenceText({ name, version, license, folder }: Part): string {
  const files = readdirSync(folder).filter((file) => LICENCE_FILE.test(file))
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return [`${name} ${version}: ${license}`, ...texts].join('\n\n')
}

/**
 * Returns the font's file in the package that it was copied from:
 * `name.HASH.woff2` in a build, `files/name.woff2` there.
 */
function fontSource(file: string): string | undefined {
  const name = basename(file).replace(/\.[0-9a-f]+(?=\.woff2$)/, '')
  const candidates = readdirSync(FONTS).map((folder) => join(FONTS, folder, 'files', name))
  return candidates.find((candidate) => existsSync(candidate))
}

const [target = '', ...builds] = process.argv.slice(2)
const built = builds.flatMap(filesBelow)
const sources = built.filter((file) => file.endsWith('.map')).flatMap(sourcesOf)
// Shipped whole, as Playwright is.
const whole = built.filter((file) => file.endsWith('/package.json') && file.includes(MODULES))
const fonts = built
  .filter((file) => file.endsWith('.woff2'))
  .flatMap((file) => fontSource(file) ?? [])
const folders = new Set(
  [...sources, ...whole, ...fonts].flatMap((file) => packageFolder(file) ?? []),
)
const parts = [...folders]
  .map(partIn)
  .filter(({ name }) => !name.startsWith('@anniversary/'))
  .sort((a, b) => (a.folder < b.folder ? -1 : 1))

const components = new Map(
  parts.map(({ name, version, license }) => {
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
    const licenses = [{ expression: license }]
    return [purl, { type: 'library', 'bom-ref': purl, name, version, purl, licenses }]
  }),
)
const sbom = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: { component: { type: 'application', name: 'anniversary' } },
  components: [...components.values()],
}
writeFileSync(join(target, 'sbom.cdx.json'), `${JSON.stringify(sbom, null, 2)}\n`)
writeFileSync(join(target, 'licences.txt'), `${parts.map(licenceText).join('\n\n---\n\n')}\n`)
console.log(`${components.size} packages are in the builds`)
