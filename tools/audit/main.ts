import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Argument, Command } from 'commander'
import { ROOT } from '../packages.ts'
import { startProcess } from '../test/start-process.ts'
import { auditHeaders } from './headers.ts'
import { auditPages } from './pages.ts'

/**
 * `npm run audit`: the tools by which others judge a site and its packages. npx installs each for the run, at the version
 * named here: all together they weigh more than our own dependencies.
 */

/** What teams with a repository of their own install. */
const PACKAGES = ['mf-megalive', 'shared', 'build', 'deploy']

/** Of this run. */
const folder = mkdtempSync(join(tmpdir(), 'audit-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const npx = (tool: string, ...args: string[]): boolean =>
  spawnSync('npx', ['--yes', tool, ...args], { cwd: ROOT, stdio: 'inherit' }).status === 0

/** Exports and files that nothing uses, dependencies that no package.json names, or that nothing imports. */
const auditExports = (): boolean =>
  npx('knip@6.44.2', '--no-progress', '--treat-config-hints-as-errors', '--config', 'tools/audit/knip.json')

/** What a package promises in package.json, and for the one that is not compiled by our bundler its types too. */
function auditPackages(): boolean {
  const packed = join(folder, 'packages')
  mkdirSync(packed)
  const workspaces = PACKAGES.flatMap((name) => ['-w', name])
  const pack = ['pack', '--silent', '--ignore-scripts=false', '--pack-destination', packed, ...workspaces]
  execFileSync('npm', pack, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })
  const files = readdirSync(packed).map((name) => join(packed, name))
  const linted = files.map((file) => npx('publint@0.3.25', file, '--strict'))
  const typed = files
    .filter((file) => file.includes('megalive'))
    .map((file) => npx('@arethetypeswrong/cli@0.18.5', file, '--profile', 'esm-only'))
  return [...linted, ...typed].every(Boolean)
}

async function auditSite(): Promise<boolean> {
  const env = { PORT: '0', DATA_DIR: join(folder, 'data'), SITE_DIR: join(folder, 'site'), DATABASE_URL: '' }
  const start = [process.execPath, '--import', 'tsx', 'tools/start/main.ts']
  const site = await startProcess(start, { cwd: ROOT, env, ready: /Ready on (http:\S+)/ })
  try {
    const [url = ''] = site.ready
    const headers = await auditHeaders(url, folder)
    return auditPages(url, folder) && headers
  } finally {
    await site.stop()
  }
}

const steps: Readonly<Record<string, () => boolean | Promise<boolean>>> = {
  exports: auditExports,
  packages: auditPackages,
  site: auditSite,
}

const { args: asked } = new Command('npm run audit --')
  .addArgument(new Argument('[step...]').choices(Object.keys(steps)))
  .parse()
const results: string[] = []
for (const [name, step] of Object.entries(steps)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  console.log(`\n${name}`)
  results.push(`${(await step()) ? 'ok  ' : 'FAIL'} ${name}`)
}
console.log(`\n${results.join('\n')}`)
process.exit(results.some((line) => line.startsWith('FAIL')) ? 1 : 0)
