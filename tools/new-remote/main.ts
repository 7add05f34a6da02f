import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Command } from 'commander'
import { ROOT } from '../packages.ts'
import { copyTemplate, makeRepository, remoteNameProblem } from './make-repository.ts'

/**
 * `npm run new:remote -- mf-winners` makes a remote in this repository, or in
 * one of its own.
 */

const program = new Command('new:remote')
  .description('Makes a working remote: page, test, harness and config.')
  .argument('<name>', 'like mf-winners')
  .option('--root <folder>', 'the repository', ROOT)
  .option('--outside <folder>', 'makes a repository of its own there')
  .addHelpText(
    'after',
    `
Examples:
  npm run new:remote -- mf-winners
  npm run new:remote -- mf-winners --outside ../mf-winners`,
  )
  .parse()
const [name = ''] = program.args
const { root, outside } = program.opts<{ root: string; outside?: string }>()

const problem = remoteNameProblem(name, root)
if (problem) program.error(`error: ${name} is no name for a remote: ${problem}`, { exitCode: 2 })
if (outside !== undefined) {
  if (existsSync(outside) && readdirSync(outside).length > 0)
    program.error(`error: ${outside} is not empty`, { exitCode: 1 })
  makeRepository(root, resolve(outside), name)
  console.log(`Made ${outside}. Next:

  cd ${outside}
  npm install
  npm run dev

Its README.md tells the rest.`)
  process.exit()
}

if (existsSync(join(root, name))) program.error(`error: ${name} is there already`, { exitCode: 1 })

copyTemplate('remote', join(root, name), name)
// The order of imports depends on the page's name.
execFileSync(join(root, 'node_modules/.bin/biome'), ['check', '--write', name], {
  cwd: root,
  stdio: 'ignore',
})

const manifestPath = join(root, 'package.json')
const manifest = JSON.parse(readFileSync(manifestPath, 'utf8')) as { workspaces: string[] } // our own
const lastRemote = manifest.workspaces.findLastIndex((workspace) => workspace.startsWith('mf-'))
manifest.workspaces.splice(lastRemote + 1, 0, name)
writeFileSync(manifestPath, `${JSON.stringify(manifest, null, 2)}\n`)

function addLine(file: string, line: string): void {
  const path = join(root, file)
  const lines = readFileSync(path, 'utf8').split('\n')
  lines.splice(lines.findLastIndex((one) => /^\/?mf-/.test(one)) + 1, 0, line)
  writeFileSync(path, lines.join('\n'))
}
const bare = name.slice('mf-'.length)
addLine('CODEOWNERS', `${`/${name}/`.padEnd(20)} @anniversary/team-${bare}`)
addLine('README.md', `${`${name}/`.padEnd(18)} remote: /${bare}`)

console.log(`Made ${name}. Next:

  npm install
  npm run dev -w ${name}

${name}/routes.json names the path where the shell shows it. CODEOWNERS asks @anniversary/team-${bare} to review it: change that\nline if the team has another name. docs/use/new-remote.md describes the next steps.`)
