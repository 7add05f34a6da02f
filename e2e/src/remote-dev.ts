import { type ChildProcess, spawn } from 'node:child_process'

/**
 * Develops one remote inside a running site, as `npm run dev -- --site URL` in its folder does.
 * @param command the package's `remote-dev`
 */
export async function startRemoteDev(
  folder: string,
  command: string,
  site: string,
): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn('node', [command, '--site', site, '--port', '0'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        const found = /from here: (http:\/\/\S+)/.exec(output)?.[1]
        if (found) resolve(found)
      })
    child.on('exit', () => reject(new Error(output)))
  })
  return { url, child }
}
