import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Command } from 'commander'
import { copyTemplate, nameProblem } from './copy-template.ts'

/** `npm run new:remote -- mf-winners`: copies templates/remote and adds it to the workspaces. */

const program = new Command('new:remote')
  .description('Makes a working remote: page, test, harness and config.')
  .argument('<name>', 'like mf-winners')
  .option('--root <folder>', 'the repository', resolve(import.meta.dirname, '../..'))
  .addHelpText('after', '\nExample:\n  npm run new:remote -- mf-winners')
  .parse()
const [name = ''] = program.args
const { root } = program.opts<{ root: string }>()

const problem = nameProblem(name, root)
if (problem) program.error(`error: ${name} is no name for a remote: ${problem}`, { exitCode: 2 })
if (existsSync(join(root, name))) program.error(`error: ${name} is there already`, { exitCode: 1 })

const ports = readdirSync(root)
  .map((entry) => join(root, entry, 'rspack.config.js'))
  .filter((config) => existsSync(config))
  .map((config) => Number(/port: (\d+)/.exec(readFileSync(config, 'utf8'))?.[1] ?? 0))
copyTemplate(join(root, name), name, Math.max(3000, ...ports) + 1)
// The order of imports depends on the page's name.
execFileSync(
  process.execPath,
  [join(root, 'node_modules/@biomejs/biome/bin/biome'), 'check', '--write', name],
  {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  },
)

const manifestPath = join(root, 'package.json')
const manifest = JSON.parse(readFileSync(manifestPath, 'utf8')) as { workspaces: string[] } // our own
const lastRemote = manifest.workspaces.findLastIndex((workspace) => workspace.startsWith('mf-'))
manifest.workspaces.splice(lastRemote + 1, 0, name)
writeFileSync(manifestPath, `${JSON.stringify(manifest, null, 2)}\n`)

console.log(`Made ${name}. Next:

  npm install
  npm run dev -w ${name}

${name}/routes.json says where the shell shows it. docs/guides/new-remote.md tells the rest.`)
