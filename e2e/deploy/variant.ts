import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../src/stack.ts'

/** Text replaced in a file: `[from, to]`; each must be found. */
export type Edits = Readonly<Record<string, readonly (readonly [from: string, to: string])[]>>

/** Every build reads these, so each variant gets copies. */
const TIED = ['build', 'shared']

const folders: string[] = []
process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/**
 * Copies the sources and edits the copy: a team's branch, while the site runs main.
 * @param packages folders to take along besides `build` and `shared`
 * @param edits by path from the root; throws where a text is not found, so that a test cannot pass by changing nothing
 */
export async function checkOut(packages: readonly string[], edits: Edits): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'anniversary-variant-'))
  folders.push(root)
  const keep = (path: string) => !/(^|\/)(dist|dist-node|node_modules)$/.test(path)
  for (const part of ['package.json', ...TIED, ...packages])
    await cp(join(ROOT, part), join(root, part), { recursive: true, filter: keep })
  await linkModules(root)
  for (const [file, replacements] of Object.entries(edits)) {
    let text = await readFile(join(root, file), 'utf8')
    for (const [from, to] of replacements) {
      if (!text.includes(from)) throw new Error(`${file} has no ${from}`)
      text = text.replaceAll(from, to)
    }
    await writeFile(join(root, file), text)
  }
  return root
}

/** Links the repository's dependencies, and the variant's own copies of our packages. */
async function linkModules(root: string): Promise<void> {
  const modules = join(root, 'node_modules')
  await mkdir(join(modules, '@anniversary'), { recursive: true })
  for (const name of await readdir(join(ROOT, 'node_modules')))
    if (!name.startsWith('.') && name !== '@anniversary')
      await symlink(join(ROOT, 'node_modules', name), join(modules, name))
  for (const name of TIED) await symlink(join(root, name), join(modules, '@anniversary', name))
}

/** Builds a package of a checked-out state. Resolves with its output folder. */
export async function build(root: string, name: string): Promise<string> {
  const { code, output } = await run(join(root, name), join(ROOT, 'node_modules/@rspack/cli/bin/rspack.js'), [
    'build',
  ])
  if (code !== 0) throw new Error(`The build of ${name} failed:\n${output}`)
  return join(root, name, 'dist')
}

export interface Deployed {
  readonly code: number | null
  /** Milliseconds of the whole command, Node's start included. */
  readonly milliseconds: number
  readonly output: string
}

/** `npm run deploy -- …` as a person types it. */
export async function deploy(site: string, ...args: readonly string[]): Promise<Deployed> {
  const began = performance.now()
  const { code, output } = await run(ROOT, join(ROOT, 'deploy/bin/deploy.js'), [...args, '--site', site])
  return { code, output, milliseconds: Math.round(performance.now() - began) }
}

function run(
  cwd: string,
  script: string,
  args: readonly string[],
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    // Playwright turns colours on; the compared output has none.
    const env = { ...process.env, FORCE_COLOR: '', NO_COLOR: '1' }
    const child = spawn(process.execPath, [script, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
      })
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output }))
  })
}
