import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { run as runDeploy } from '@anniversary/deploy/test/run'
import { copySources, editSource } from './copy-sources.ts'
import { ROOT } from './stack.ts'

const RSPACK = join(ROOT, 'node_modules/@rspack/cli/bin/rspack.js')

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
export function build(root: string, name: string): Promise<string> {
  const cwd = join(root, name)
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [RSPACK, 'build'], { cwd }, (error, out, err) =>
      error ? reject(new Error(`The build of ${name} failed:\n${out}${err}`)) : resolve(join(cwd, 'dist')),
    )
  })
}

/** `npm run deploy -- …`, without a process of its own, which takes a second of CPU to start. */
export async function deploy(
  site: string,
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly output: string }> {
  const { code, out, err } = await runDeploy(...args, '--site', site)
  return { code, output: out + err }
}
