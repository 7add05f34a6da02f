import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePorts } from '@anniversary/shared/testing/free-ports'
import { type NginxOptions, nginxConfig } from '../src/serve/nginx.ts'
import { currentSiteRecord } from '../src/site/record.ts'
import type { FileTarget } from '../src/target/file-target.ts'
import { temporaryFolder } from './fixture-builds.ts'

export async function serveByNginx(
  target: FileTarget,
  options: Partial<NginxOptions> = {},
  edit = (config: string) => config,
) {
  const [port = 0] = await freePorts(1)
  const config = await nginxConfig(await currentSiteRecord(target), {
    root: target.root,
    serverName: '_',
    listen: `127.0.0.1:${port}`,
    api: ['127.0.0.1:9'],
    cache: await temporaryFolder(),
    ...options,
  })
  const folder = await temporaryFolder()
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${join(folder, kind)};`,
  )
  const own = process.getuid?.() === 0 ? 'user root;' : ''
  await writeFile(
    join(folder, 'nginx.conf'),
    edit(
      `worker_processes 1;\npid ${join(folder, 'pid')};\nerror_log ${join(folder, 'error.log')};\n${own}
events { }\nhttp {\naccess_log off;\n${temporary.join('\n')}\n${config}\n}\n`,
    ).replace('/etc/nginx/event.d', join(folder, 'event.d')),
  )
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-g', 'daemon off;']
  const env = { PATH: `${process.env.PATH}:/usr/sbin` }
  const child = spawn('nginx', args, { stdio: 'inherit', env })
  const ended = once(child, 'close').catch(() => null)
  stops.push(() => child.kill() && ended)
  const isUp = () => once(connect(port, '127.0.0.1').unref(), 'connect').catch(() => null)
  while (!(await isUp()) && child.exitCode === null) await sleep(20)
  if (child.exitCode !== null)
    throw new Error('nginx does not run (Debian: apt-get install nginx-light)')
  return { port, url: `http://127.0.0.1:${port}` }
}

const stops: (() => unknown)[] = []
afterAll(() => Promise.all(stops.map((stop) => stop())))
