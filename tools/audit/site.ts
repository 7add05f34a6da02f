import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface Site {
  readonly url: string
  stop(): Promise<void>
}

/** The product as `npm start` serves it, on folders of its own. */
export async function startSite(root: string): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'audit-site-'))
  const env = {
    ...process.env,
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
    SITE_DIR: join(folder, 'site'),
    DATABASE_URL: '',
  }
  const child = spawn(process.execPath, ['--import', 'tsx', 'tools/start/main.ts'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  for await (const line of createInterface(child.stdout)) {
    const [, url] = /Ready on (http:\S+)/.exec(line) ?? []
    if (!url) continue
    child.stdout.resume()
    return { url, stop }
  }
  await stop()
  throw new Error('npm start ended before it was ready')
}
