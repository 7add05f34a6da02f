import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Command } from 'commander'
import { pageName, remoteFiles, routeOf } from './files.ts'

/** `npm run new:remote -- mf-winners`: a remote that works, in its place in this repository. */

interface Manifest {
  workspaces: string[]
}

const program = new Command('new:remote')
  .description('Makes a working remote: page, test, harness and config.')
  .argument('<name>', 'like mf-winners')
  .option('--root <folder>', 'the repository', resolve(import.meta.dirname, '../..'))
  .addHelpText('after', '\nExample:\n  npm run new:remote -- mf-winners')
  .parse()
const [name = ''] = program.args
const { root } = program.opts<{ root: string }>()

if (!/^mf-[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
  program.error(
    `error: ${name} is no name for a remote: start with mf-, then lower-case words, like mf-winners`,
    {
      exitCode: 2,
    },
  )
const folder = join(root, name)
if (existsSync(folder)) program.error(`error: ${name} is there already`, { exitCode: 1 })

const manifestPath = join(root, 'package.json')
const manifest = JSON.parse(readFileSync(manifestPath, 'utf8')) as Manifest // our own
// The shape of the shell's package.json.
const { dependencies, devDependencies } = JSON.parse(
  readFileSync(join(root, 'shell/package.json'), 'utf8'),
) as Record<'dependencies' | 'devDependencies', Record<string, string>>

const ports = readdirSync(root)
  .filter((entry) => entry.startsWith('mf-') && existsSync(join(root, entry, 'rspack.config.js')))
  .map((entry) =>
    Number(/port: (\d+)/.exec(readFileSync(join(root, entry, 'rspack.config.js'), 'utf8'))?.[1] ?? 0),
  )
const port = Math.max(3000, ...ports) + 1

for (const [path, content] of Object.entries(
  remoteFiles({ name, port, ranges: { ...dependencies, ...devDependencies } }),
)) {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}
const lastRemote = manifest.workspaces.findLastIndex((workspace) => workspace.startsWith('mf-'))
manifest.workspaces.splice(lastRemote + 1, 0, name)
writeFileSync(manifestPath, `${JSON.stringify(manifest, null, 2)}\n`)

console.log(`Made ${name}. Next:

  npm install
  npm run dev -w ${name}

To show it, add one line to shell/routes.json:

  "${routeOf(name)}": { "title": "…", "remote": "${name}", "expose": "./${pageName(name)}Page" }

docs/guides/new-remote.md tells the rest.`)
