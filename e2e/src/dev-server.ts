import { spawn } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from './stack.ts'

/** `npm run dev` on a copy of the sources, which tests and benchmarks may edit. */
export interface DevServer {
  readonly url: string
  /** Milliseconds from the command to its `Ready`. */
  readonly readyAfter: number
  /** Everything the process has printed. */
  output(): string
  /**
   * Replaces a text in a source file, as an editor saves it.
   * @returns takes the edit back
   * @throws where the file has no such text, so that a test cannot pass by changing nothing
   */
  edit(file: string, from: string, to: string): Promise<() => Promise<void>>
  /** Ends it as Ctrl-C does and removes the copy. Resolves with the exit code. */
  stop(): Promise<number | null>
}

const READY = /Ready on (http:\/\/\S+)/
/** A first start makes a database, on a machine that may be busy. */
const READY_WITHIN_MS = 120_000

export async function startDevServer(): Promise<DevServer> {
  const root = await copySources()
  const remove = () => rmSync(root, { recursive: true, force: true })
  process.once('exit', remove)
  const began = performance.now()
  const child = spawn('node', ['tools/bin/dev.js'], {
    cwd: root,
    env: { ...process.env, npm_lifecycle_event: '', PORT: '0', DATABASE_URL: '', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const url = await new Promise<string>((resolve, reject) => {
    const fail = () => reject(new Error(`Not ready:\n${output}`))
    const timer = setTimeout(fail, READY_WITHIN_MS)
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        const found = READY.exec(output)?.[1]
        if (!found) return
        clearTimeout(timer)
        resolve(found)
      })
    void ended.then(fail)
  })
  return {
    url,
    readyAfter: performance.now() - began,
    output: () => output,
    async edit(file, from, to) {
      const path = join(root, file)
      const before = await readFile(path, 'utf8')
      if (!before.includes(from)) throw new Error(`${file} has no ${from}`)
      await writeFile(path, before.replace(from, to))
      return () => writeFile(path, before)
    },
    async stop() {
      child.kill('SIGTERM')
      const code = await ended
      remove()
      return code
    },
  }
}

/** All workspaces, without what is built or installed; dependencies are those of the checkout. */
async function copySources(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'anniversary-dev-'))
  const manifest = await readFile(join(ROOT, 'package.json'), 'utf8')
  const { workspaces } = JSON.parse(manifest) as { workspaces: string[] } // npm has read it
  const isSource = (path: string) => !/[\\/](dist|node_modules|\.cache)$/.test(path)
  for (const part of ['package.json', ...workspaces])
    await cp(join(ROOT, part), join(copy, part), { recursive: true, filter: isSource })

  const modules = join(copy, 'node_modules')
  await mkdir(join(modules, '@anniversary'), { recursive: true })
  for (const name of await readdir(join(ROOT, 'node_modules')))
    if (!name.startsWith('.') && name !== '@anniversary')
      await symlink(join(ROOT, 'node_modules', name), join(modules, name))
  for (const name of await readdir(join(ROOT, 'node_modules/@anniversary')))
    await cp(join(ROOT, 'node_modules/@anniversary', name), join(modules, '@anniversary', name), {
      verbatimSymlinks: true,
      recursive: true,
    })
  for (const workspace of workspaces) {
    const own = join(ROOT, workspace, 'node_modules')
    if (existsSync(own)) await symlink(own, join(copy, workspace, 'node_modules'))
  }
  return copy
}
