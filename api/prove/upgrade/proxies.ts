import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

const path = `${process.env.PATH}:/usr/sbin:/usr/lib/postgresql/15/bin`

/** Runs a program and waits for its end. @throws Error that says what to install */
export function run(program: string, args: readonly string[], options: { cwd?: string } = {}): string {
  try {
    return execFileSync(program, args, { ...options, encoding: 'utf8', env: { ...process.env, PATH: path } })
  } catch (error) {
    throw new Error(`${program} is required to work (Debian: nginx haproxy postgresql-15): ${String(error)}`)
  }
}

/** Starts a program that ends with this process. */
export function start(program: string, args: readonly string[]): ChildProcess {
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], env: { PATH: path } })
  const end = () => child.kill('SIGTERM')
  process.once('exit', end)
  child.once('exit', () => process.removeListener('exit', end))
  return child
}

/** Returns ports that are free now. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  const ports: number[] = []
  for (const server of servers) {
    if (!server.listening) await new Promise((done) => server.once('listening', done))
    const address = server.address()
    ports.push(typeof address === 'object' && address ? address.port : 0)
  }
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))))
  return ports
}

/** Publishes the site's builds and returns the configuration that `deploy nginx` writes for two API processes. */
export function generateNginx(folder: string, port: number, apis: readonly number[]): string {
  const site = join(folder, 'site')
  const deploy = (...args: string[]) =>
    run(process.execPath, [join(root, 'deploy/bin/deploy.js'), '--site', site, ...args], { cwd: root })
  const packages = ['shell', 'mf-auth', 'mf-missions', 'mf-history', 'mf-megalive'].map((name) => `./${name}`)
  deploy('publish', ...packages)
  const addresses = apis.flatMap((api) => ['--api', `127.0.0.1:${api}`])
  return deploy('nginx', '--listen', `127.0.0.1:${port}`, ...addresses)
}

/** nginx as it would be by its own defaults: a dead server is left alone for ten seconds, and its 502 is shown. */
export const withDefaults = (config: string): string =>
  config.replaceAll(' max_fails=0', '').replaceAll(/^.*error_page[^;]* 50\d[^;]*;\n/gm, '')

export function startNginx(folder: string, config: string): ChildProcess {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ')
  const file = join(folder, 'nginx.conf')
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  writeFileSync(
    file,
    `${user} daemon off; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log; events { }
http { access_log off; ${temporary}
${config} }`,
  )
  return start('nginx', ['-p', folder, '-c', file])
}

/** Starts HAProxy with the file of the packaging, on other ports. */
export function startHaproxy(folder: string, port: number, [first, second]: readonly number[]): ChildProcess {
  const config = readFileSync(join(root, 'packaging/haproxy.cfg'), 'utf8')
    .replace('127.0.0.1:8080', `127.0.0.1:${port}`)
    .replace('127.0.0.1:3001', `127.0.0.1:${first}`)
    .replace('127.0.0.1:3002', `127.0.0.1:${second}`)
  writeFileSync(join(folder, 'haproxy.cfg'), config)
  return start('haproxy', ['-q', '-db', '-f', join(folder, 'haproxy.cfg')])
}
