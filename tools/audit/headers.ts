import { execFile, execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { request as ask } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'

const OBSERVATORY = '@mdn/mdn-http-observatory@1.4.8'

interface Scan {
  readonly error?: string
  readonly scan: { readonly grade: string; readonly score: number }
  readonly tests: Readonly<Record<string, { readonly pass: boolean; readonly result: string }>>
}

/**
 * Without its scripts: they compile drivers of its database and download the browsers' list of https hosts, which has no
 * site of ours. Its command trusts certificates of a list that it downloads too, so its module runs instead.
 */
function installObservatory(folder: string): string {
  execFileSync('npm', ['install', '--silent', '--ignore-scripts', '--prefix', folder, OBSERVATORY], {
    cwd: folder,
  })
  const home = join(folder, 'node_modules', OBSERVATORY.replace(/@[^@]+$/, ''))
  writeFileSync(join(home, 'conf/hsts-preload.json'), '{}')
  return home
}

/**
 * MDN's Observatory on the first page, over https as a proxy in front of the site serves it. Passes with an A+.
 * @param folder for the tool and a certificate
 */
export async function auditHeaders(siteUrl: string, folder: string): Promise<boolean> {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...names, '-keyout', key, '-out', cert],
    { stdio: 'ignore' },
  )
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
    const { method, url = '/', headers } = request
    const to = new URL(url, siteUrl)
    const forwarded = ask(to, { method, headers: { ...headers, 'x-forwarded-proto': 'https' } }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    forwarded.on('error', () => response.destroy())
    request.pipe(forwarded)
  })
  try {
    await new Promise<void>((ready) => server.listen(0, 'localhost', ready))
    const { port } = server.address() as AddressInfo // a TCP server's address is never a string
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(installObservatory(folder), 'src/scan.js'), `localhost:${port}`],
      { env: { ...process.env, NODE_EXTRA_CA_CERTS: cert } },
    )
    const { scan, tests, error } = JSON.parse(stdout) as Scan // the tool's own format
    if (error) throw new Error(`${OBSERVATORY}: ${error}`)
    console.log(`Observatory ${scan.grade} (${scan.score} points)`)
    for (const [name, { pass, result }] of Object.entries(tests))
      if (!pass) console.log(`  ${name}: ${result}`)
    return scan.grade === 'A+'
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
