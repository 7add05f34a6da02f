import { type ExecFileException, execFile } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { ROOT } from './stack.ts'

const RSPACK = join(ROOT, 'node_modules/@rspack/cli/bin/rspack.js')

const folders: string[] = []
process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/**
 * Copies all workspaces' sources, with this checkout's dependencies, to a
 * folder that is removed when the process ends.
 */
export async function copySources(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'anniversary-sources-'))
  folders.push(copy)
  const manifest = await readFile(join(ROOT, 'package.json'), 'utf8')
  const { workspaces } = JSON.parse(manifest) as { workspaces: string[] } // npm has read it
  const isSource = (path: string) => !/[\\/](dist|node_modules|\.cache)$/.test(path)
  for (const part of ['package.json', ...workspaces])
    await cp(join(ROOT, part), join(copy, part), { recursive: true, filter: isSource })

  const modules = join(ROOT, 'node_modules')
  const own = join(copy, 'node_modules')
  await mkdir(own)
  for (const name of await readdir(modules))
    if (!/^\.(?!bin$)/.test(name) && name !== '@anniversary')
      await symlink(join(modules, name), join(own, name))
  // Npm's links to the workspaces are relative: in the copy they lead to the
  // copies.
  await cp(join(modules, '@anniversary'), join(own, '@anniversary'), {
    recursive: true,
    verbatimSymlinks: true,
  })
  for (const workspace of workspaces) {
    const nested = join(ROOT, workspace, 'node_modules')
    if (existsSync(nested)) await symlink(nested, join(copy, workspace, 'node_modules'))
  }
  return copy
}

/**
 * Replaces a text everywhere in a source file. Throws where it is missing.
 * Resolves with a function that undoes the edit.
 */
export async function editSource(
  root: string,
  file: string,
  from: string,
  to: string,
): Promise<() => Promise<void>> {
  const path = join(root, file)
  // Renamed into place, so that a watcher never reads half a file.
  const save = async (text: string) => {
    await writeFile(`${path}~`, text)
    await rename(`${path}~`, path)
  }
  const before = await readFile(path, 'utf8')
  if (!before.includes(from)) throw new Error(`${file} has no ${from}`)
  await save(before.replaceAll(from, to))
  return () => save(before)
}

/**
 * A copy of the sources with these texts replaced, by path from the root: a
 * team's branch, while the site runs main.
 */
export async function checkOut(
  edits: Readonly<Record<string, readonly (readonly [from: string, to: string])[]>>,
): Promise<string> {
  const root = await copySources()
  for (const [file, replacements] of Object.entries(edits))
    for (const [from, to] of replacements) await editSource(root, file, from, to)
  return root
}

/** Resolves with what the script has printed. Throws it when the script fails. */
async function run(cwd: string, ...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd }).catch(
    (failed: ExecFileException) => {
      throw new Error(
        stripVTControlCharacters(`${args.join(' ')}\n${failed.stdout}${failed.stderr}`),
      )
    },
  )
  return stripVTControlCharacters(stdout + stderr)
}

export async function build(root: string, name: string): Promise<string> {
  await run(join(root, name), RSPACK, 'build')
  return join(root, name, 'dist')
}

/** Builds the commands that `deploy` and `operatorCommand` run. */
export const buildCommands = () =>
  Promise.all(
    ['api', 'deploy-server'].map((name) => run(join(ROOT, name), '--import', 'tsx', 'build.ts')),
  )

export const deploy = (site: string, ...args: readonly string[]) =>
  run(ROOT, 'deploy-server/dist/deploy.mjs', ...args, '--site', site)
