import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { copySources, editSource } from './copy-sources.ts'
import { ROOT } from './stack.ts'

/** Texts replaced, by file: `[from, to]`. */
export type Edits = Readonly<Record<string, readonly (readonly [from: string, to: string])[]>>

/**
 * Copies the sources and edits the copy: a team's branch, while the site runs main.
 * @param edits by path from the root
 */
export async function checkOut(edits: Edits): Promise<string> {
  const root = await copySources()
  for (const [file, replacements] of Object.entries(edits))
    for (const [from, to] of replacements) await editSource(root, file, from, to)
  return root
}

/** Builds a package of a checked-out state. Resolves with its output folder. */
export async function build(root: string, name: string): Promise<string> {
  const { code, output } = await run(join(root, name), join(ROOT, 'node_modules/@rspack/cli/bin/rspack.js'), [
    'build',
  ])
  if (code !== 0) throw new Error(`The build of ${name} failed:\n${output}`)
  return join(root, name, 'dist')
}

/** `npm run deploy -- …` as a person types it. */
export const deploy = (site: string, ...args: readonly string[]): Promise<Result> =>
  run(ROOT, join(ROOT, 'deploy/bin/deploy.js'), [...args, '--site', site])

interface Result {
  readonly code: number | null
  readonly output: string
}

function run(cwd: string, script: string, args: readonly string[]): Promise<Result> {
  return new Promise((resolve, reject) => {
    // Playwright turns colours on; the compared output has none.
    const env = { ...process.env, FORCE_COLOR: undefined, NO_COLOR: '1' }
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
