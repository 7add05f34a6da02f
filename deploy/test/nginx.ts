import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { listen } from '../src/serve/server.ts'
import { temporaryFolder } from './fixture-builds.ts'

/** Returns the path of nginx; NGINX_PATH names one elsewhere. */
function findNginx(): string {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  const candidates = [process.env.NGINX_PATH ?? '', ...folders.map((folder) => join(folder, 'nginx'))]
  const found = candidates.find((path) => path !== '' && existsSync(path))
  if (!found) throw new Error('nginx is required (Debian: apt-get install nginx-light)')
  return found
}

export async function freePort(): Promise<number> {
  const free = await listen('127.0.0.1', 0)
  await free.close()
  return free.port
}

/** Starts nginx with a configuration of its http block. @param isUp tells whether it answers. @returns how to stop it */
export async function startNginx(config: string, isUp: () => Promise<unknown>): Promise<() => Promise<void>> {
  const folder = await temporaryFolder()
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${join(folder, kind)};`,
  )
  const own = process.getuid?.() === 0 ? 'user root;' : ''
  await writeFile(
    join(folder, 'nginx.conf'),
    `worker_processes 1;\npid ${join(folder, 'pid')};\nerror_log ${join(folder, 'error.log')};\n${own}
events { }\nhttp {\naccess_log off;\n${temporary.join('\n')}\n${config}\n}\n`,
  )
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-g', 'daemon off;']
  const child = spawn(findNginx(), args, { stdio: 'inherit' })
  const ended = new Promise((resolve) => child.once('close', resolve))
  while (!(await isUp().catch(() => null)) && child.exitCode === null) await sleep(20)
  return async () => {
    child.kill('SIGTERM')
    await ended
  }
}
