import { execFileSync } from 'node:child_process'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { startApi } from '@anniversary/api/prove/api-process'
import { BACKOFFICE_KEY, seed } from '@anniversary/api/prove/members'
import { until } from '@anniversary/api/prove/report'
import { startPostgres } from '@anniversary/api/test/postgres'
import { addAccessToken } from '@anniversary/deploy-server/server/access'
import { freePorts } from '@anniversary/shared/testing/free-ports'
import { ROOT } from '../../packages.ts'
import { startMonitoring } from './monitoring.ts'
import { startProgram, stopProgram } from './programs.ts'

const DEPLOY = join(ROOT, 'deploy-server/bin/deploy-server.js')
const REPORTS_KEY = 'reports-key-of-the-proof'

export type Stack = Awaited<ReturnType<typeof startStack>>

/**
 * Starts Postgres, two API processes, a site of the shell and mf-auth, its
 * deploy server, and what watches them.
 */
export async function startStack(folder: string) {
  const [apiPort, secondPort, deployPort, sitePort] = await freePorts(4)
  const postgres = await startPostgres(['archive_mode=on'])
  const players = await seed(postgres.url, 800)

  const ports = [apiPort, secondPort]
  const startApis = () =>
    Promise.all(
      ports.map((port) =>
        startApi({
          DATABASE_URL: postgres.url,
          PORT: String(port),
          REPORTS_KEY,
          BACKOFFICE_KEY,
          TRUST_PROXY: '1',
          LOG_LEVEL: 'fatal',
        }),
      ),
    )

  const site = join(folder, 'site')
  const deploy = (...args: string[]) =>
    execFileSync(process.execPath, [DEPLOY, ...args, '--site', site], { encoding: 'utf8' })
  deploy('publish', join(ROOT, 'shell/dist'), join(ROOT, 'mf-auth/dist'), '--no-smoke')

  const access = join(folder, 'access.json')
  const startDeployServer = () =>
    startProgram(process.execPath, [
      DEPLOY,
      ...['server', '--port', String(deployPort), '--access', access, '--site', site],
    ])

  const { certificate, https } = await serveCertificate(folder)
  https.listen(sitePort, '127.0.0.1')
  const monitoring = await startMonitoring({
    folder,
    ports: { 3001: apiPort, 3002: secondPort, 3100: deployPort },
    postgres: postgres.folder,
    site: `https://localhost:${sitePort}/`,
    certificate,
    secrets: {
      'reports-key': REPORTS_KEY,
      'deploy-token': await addAccessToken(access, 'prometheus', ['shell'], 'read'),
      'canary-token': await addAccessToken(access, 'alertmanager', ['*'], 'stop-canaries'),
    },
  })

  const running = { apis: await startApis(), deployServer: startDeployServer() }
  await until('the first scrapes', async () => (await monitoring.countSeries('up == 1')) >= 6)
  return {
    postgres,
    site,
    https,
    sitePort,
    deploy,
    monitoring,
    origins: ports.map((port) => `http://127.0.0.1:${port}`),
    players,
    running,
    startApis,
    startDeployServer,
    folder,
    async stop() {
      await stopProgram(running.deployServer, 'SIGTERM')
      await Promise.all(running.apis.map((api) => api.stop()))
      await postgres.stop()
    },
  }
}

/**
 * Returns the server of an https site whose certificate ends in six days, and
 * the certificate's file.
 */
async function serveCertificate(folder: string) {
  const [key, certificate] = [join(folder, 'site.key'), join(folder, 'site.pem')]
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '6', '-subj', '/CN=localhost'],
      ...['-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', certificate],
    ],
    { stdio: 'ignore' },
  )
  const files = { key: await readFile(key), cert: await readFile(certificate) }
  const https = createServer(files, (_request, response) => response.end('ok')).unref()
  return { certificate, https }
}

/** Copies the build of mf-auth as another version. */
export async function copyBuild(folder: string, version: string): Promise<string> {
  const copy = join(folder, `mf-auth-${version}`)
  await mkdir(copy, { recursive: true })
  await cp(join(ROOT, 'mf-auth/dist'), copy, { recursive: true })
  const manifest = join(copy, 'build.json')
  const build = JSON.parse(await readFile(manifest, 'utf8'))
  await writeFile(manifest, JSON.stringify({ ...build, version }))
  return copy
}
