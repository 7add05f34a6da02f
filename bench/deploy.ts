import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { integrityOf } from '@anniversary/deploy/builds/read-build'
import { FileTarget } from '@anniversary/deploy/target/file-target'
import type { Stored } from '@anniversary/deploy/target/target'
import { publish } from '@anniversary/deploy/verbs/publish'
import { rollback } from '@anniversary/deploy/verbs/rollback'
import type { Build } from '@anniversary/shared/contract/composition'
import { helpOnly, runsFrom } from './command.ts'
import { median } from './statistics.ts'

const HELP = `npm run bench:deploy [-- --remotes 1,6,26,56 --versions 200]

Publishes sites of made-up remotes and prints what grows with their number: bytes of one page and of the whole
composition (brotli), seconds of a publish and of a rollback after so many versions, and what the rollback read.`

const { values } = parseArgs({
  options: {
    remotes: { type: 'string', default: '1,6,26,56' },
    versions: { type: 'string', default: '200' },
    help: { type: 'boolean', short: 'h' },
  },
})
helpOnly(HELP, values.help)
const versions = runsFrom(values.versions)
const work = mkdtempSync(join(tmpdir(), 'bench-deploy-'))

/** Counts what is read, which is what a bucket is slow at. */
class CountingTarget extends FileTarget {
  reads = 0
  bytes = 0

  override async read(path: string): Promise<Stored | null> {
    const stored = await super.read(path)
    this.reads += 1
    this.bytes += stored?.bytes.length ?? 0
    return stored
  }
}

/** Code and hashes do not compress: the files are random. */
const code = (bytes: number): string => randomBytes(bytes / 2).toString('hex')

function writeBuild(build: Build, contents: Record<string, string>): string {
  const folder = mkdtempSync(join(work, 'build-'))
  const files: Build['files'] = {}
  for (const [path, text] of Object.entries(contents)) {
    const bytes = Buffer.from(text)
    files[path] = { integrity: integrityOf(bytes), bytes: bytes.length }
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), bytes)
  }
  writeFileSync(join(folder, 'build.json'), JSON.stringify({ ...build, files }))
  return folder
}

const base = { version: '1.0.0', contract: '1.0', files: {} }

const shell = (): string =>
  writeBuild(
    {
      ...base,
      kind: 'host',
      name: 'shell',
      entry: { js: ['core.js', 'main.js'], css: ['main.css'] },
      client: { js: [], css: [] },
      routes: { '/': { title: 'Landing' } },
      shared: { react: '19.0.0' },
      page: { skeletons: { form: 'form.html' } },
    },
    {
      'core.js': code(30_000),
      'main.js': code(200_000),
      'main.css': code(8_000),
      'form.html': '<main><!--page-->…<!--/page--></main>',
    },
  )

function remote(index: number): string {
  // Names like those of teams.
  const name = `mf-${randomBytes(4).toString('hex').replace(/\d/g, 'x')}-${index}`
  return named(name)
}

function named(name: string): string {
  const [entry, page, style] = [0, 1, 2].map(() => randomBytes(4).toString('hex'))
  return writeBuild(
    {
      ...base,
      kind: 'remote',
      name,
      entry: `entry.${entry}.js`,
      container: `${name.replaceAll('-', '_')}_${entry}`,
      exposes: { './Page': { js: [`Page.${page}.js`], css: [`Page.${style}.css`] } },
      routes: { [`/${name.slice(3)}`]: { title: `Trang ${name}`, expose: './Page' } },
      prerendered: { './Page': 'Page.html' },
      shared: { react: '^19.0.0' },
    },
    {
      [`entry.${entry}.js`]: code(8_000),
      [`Page.${page}.js`]: code(14_000),
      [`Page.${style}.css`]: code(4_000),
      'Page.html': `<!--$--><h1>${code(1_500)}</h1><!--/$-->`,
    },
  )
}

async function seconds(task: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await task()
  return (performance.now() - began) / 1000
}

async function measure(count: number) {
  const target = new CountingTarget(mkdtempSync(join(work, 'site-')))
  const first = 'mf-login'
  const others = Array.from({ length: count - 1 }, (_, index) => remote(index))
  await publish(target, [shell(), named(first), ...others], { anySize: true })
  const page = (await target.read('login/index.html.br'))?.bytes.length ?? 0
  const [whole = ''] = (await target.list('composition')).filter((path) => path.endsWith('.json'))
  const composition = (await target.read(`${whole}.br`))?.bytes.length ?? 0

  const published: number[] = []
  for (let version = 2; version <= versions; version += 1) {
    const build = named(first)
    published.push(await seconds(() => publish(target, [build], { anySize: true })))
    rmSync(build, { recursive: true })
  }
  target.reads = target.bytes = 0
  const back = await seconds(() => rollback(target, { name: first }))
  return {
    remotes: count,
    'page (bytes)': page,
    'whole (bytes)': composition,
    'publish (s)': median(published.slice(-9)).toFixed(2),
    'rollback (s)': back.toFixed(2),
    'rollback reads': target.reads,
    'rollback (kB)': Math.round(target.bytes / 1000),
  }
}

try {
  const rows = []
  for (const count of values.remotes.split(',').map(Number)) rows.push(await measure(count))
  console.table(rows)
} finally {
  rmSync(work, { recursive: true, force: true })
}
