import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync } from 'node:fs'
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { HostBuild, RemoteBuild } from '@anniversary/shared/contract/composition'
import { integrityOf } from '../src/builds/read-build.ts'
import { type Handler, listenForRequests, type SiteServer } from '../src/serve/server.ts'
import { type Caller, type Context, directContext } from '../src/site/context.ts'
import { FileTarget } from '../src/target/file-target.ts'
import { jsonBytes, type Target } from '../src/target/target.ts'
import { publishFolders } from '../src/verbs/publish.ts'

export { currentSiteRecord as recordOf } from '../src/site/record.ts'

export const callerWith = (some: Partial<Caller>): Caller => ({
  name: 'ann',
  packages: ['*'],
  whoMay: () => [],
  may: 'everything',
  isKnown: async () => true,
  ...some,
})

const NOBODY = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

/**
 * Returns why `unshare` may not make namespaces, as in a chroot or a container.
 * Throws at night, when the tests must not be skipped.
 */
export function namespaceRefusal(args = ['--map-current-user', '--net'], user = NOBODY): string {
  const options = { encoding: 'utf8', ...user } as const
  const { status, stderr, error } = spawnSync('unshare', [...args, 'true'], options)
  const refusal = status === 0 ? '' : (stderr || String(error)).trim()
  if (refusal && process.env.NIGHTLY) throw new Error(`Tests need namespaces here: ${refusal}`)
  return refusal
}

const folders: string[] = []

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'deploy-test-'))
  folders.push(folder)
  return folder
}

const servers: SiteServer[] = []

/** @returns the server's address */
export async function serve(handler: Handler): Promise<string> {
  const server = await listenForRequests('127.0.0.1', 0)
  servers.push(server)
  server.open(handler)
  return `http://127.0.0.1:${server.port}`
}

const environment = { ...process.env }
afterEach(async () => {
  process.env = { ...environment }
  for (const server of servers.splice(0)) await server.close()
})

afterAll(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

export type TestSite = FileTarget & Context

/** Makes a target the context of somebody who works on it directly. */
export const asOwnContext = <T extends Target>(target: T): T & Context =>
  Object.assign(target, directContext(target))

export const contextOf = (target: Target, caller: Partial<Caller>): Context => ({
  target,
  caller: callerWith(caller),
  isDryRun: false,
})

export const siteIn = (folder: string): TestSite => asOwnContext(new FileTarget(folder))

type Built = string | Promise<string>

export const publishTo = async (
  context: Context,
  builds: Built | readonly Built[],
  options?: Parameters<typeof publishFolders>[2],
) => publishFolders(context, await Promise.all([builds].flat()), options)

export async function newSite(...builds: Built[]): Promise<TestSite> {
  const site = siteIn(await temporaryFolder())
  if (builds.length > 0) await publishTo(site, builds)
  return site
}

export async function copyOf(site: TestSite): Promise<TestSite> {
  const copy = await newSite()
  cpSync(site.root, copy.root, { recursive: true, preserveTimestamps: true })
  return copy
}

export async function contents(target: Target): Promise<Record<string, string>> {
  const paths = await target.list('')
  const read = async (path: string) => {
    const bytes = (await target.read(path)) ?? Buffer.alloc(0)
    if (bytes.length > 100_000) return [path, createHash('sha256').update(bytes).digest('hex')]
    // UTF-8 takes seconds here, and comparing buffers minutes.
    return [path, bytes.toString('latin1')]
  }
  return Object.fromEntries(await Promise.all(paths.map(read)))
}

/** No publish can be about to use old files. */
export async function letRest(target: FileTarget): Promise<void> {
  for (const path of await target.list('')) await utimes(join(target.root, path), 0, 0)
}

/** Long enough to be worth compressing. */
const code = (text: string) => `${text}\n${'// a line that compresses well\n'.repeat(60)}`

async function writeBuild(
  build: HostBuild | RemoteBuild,
  contents: Record<string, string | Buffer>,
  immutable: Record<string, string> = {},
): Promise<string> {
  const folder = await temporaryFolder()
  const write = async (path: string, bytes: Buffer) => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), bytes)
  }
  const files: HostBuild['files'] = {}
  for (const [path, content] of Object.entries({ ...contents, ...immutable })) {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    files[path] = {
      integrity: integrityOf(bytes),
      bytes: bytes.length,
      ...(path in immutable && { immutable: true }),
    }
    await write(path, bytes)
  }
  await write('build.json', jsonBytes({ ...build, files }))
  return folder
}

const ROUTES: Readonly<Record<string, RemoteBuild['routes']>> = {
  'mf-auth': { '/login': { title: 'Đăng nhập', expose: './LoginPage' } },
  'mf-missions': { '/home': { title: 'Nhiệm vụ', expose: './HomePage', protected: true } },
}

export interface RemoteFixture
  extends Partial<
    Pick<
      RemoteBuild,
      'name' | 'version' | 'api' | 'contract' | 'routes' | 'shared' | 'trustedTypes'
    >
  > {
  /** Another text gives another version. */
  text?: string
  exposes?: string[]
  publicFiles?: Record<string, string>
  /** HTML by expose. */
  prerendered?: Record<string, string>
  css?: string | Buffer
  entry?: string
  /** All versions share these files. */
  immutable?: Record<string, string>
}

/** @returns the build's folder */
export async function remoteBuild(options: RemoteFixture = {}): Promise<string> {
  const {
    text = 'one',
    exposes = ['./LoginPage'],
    prerendered = {},
    entry = '',
    css,
    immutable,
    ...given
  } = options
  const { name = 'mf-auth', publicFiles = {} } = given
  const container = name.replaceAll('-', '_')
  const contents: Record<string, string | Buffer> = {
    'entry.js': code(`var ${container} /* ${text} */\n${entry}`),
  }
  for (const expose of exposes) {
    contents[`${expose.slice(2)}.js`] = code(`/* ${expose} ${text} */`)
    contents[`${expose.slice(2)}.css`] = css ?? `.${name} { color: red }`
  }
  for (const file of Object.values(publicFiles)) contents[file] = `<p>${text}</p>`
  for (const [expose, html] of Object.entries(prerendered))
    contents[`${expose.slice(2)}.html`] = html
  const build: RemoteBuild = {
    kind: 'remote',
    name,
    version: '1.0.0',
    contract: '1.0',
    entry: 'entry.js',
    container,
    exposes: mapped(exposes, (file) => ({ js: [`${file}.js`], css: [`${file}.css`] })),
    routes: ROUTES[name] ?? {},
    shared: { react: '^19.0.0' },
    files: {},
    prerendered: mapped(Object.keys(prerendered), (file) => `${file}.html`),
    ...given,
  }
  return await writeBuild(build, contents, immutable)
}

const mapped = <T>(exposes: readonly string[], of: (file: string) => T): Record<string, T> =>
  Object.fromEntries(exposes.map((expose) => [expose, of(expose.slice(2))]))

export const missionsBuild = (options: RemoteFixture = {}): Promise<string> =>
  remoteBuild({ name: 'mf-missions', exposes: ['./HomePage'], ...options })

export async function shellBuild(
  options: Partial<HostBuild> & { text?: string; main?: string } = {},
): Promise<string> {
  const { text = 'one', main = '', ...given } = options
  const build: HostBuild = {
    kind: 'host',
    name: 'shell',
    version: '1.0.0',
    contract: '1.0',
    entry: { js: ['core.js', 'main.js'], css: ['main.css'] },
    routes: { '/': { title: 'Sự kiện' } },
    client: { js: ['client.js'], css: [] },
    shared: { react: '19.2.9' },
    files: {},
    page: { icon: 'icon.svg', skeletons: { form: 'skeleton-form.html' } },
    ...given,
  }
  return await writeBuild(build, {
    'core.js': code('/* core */'),
    'main.js': code(`/* shell ${text} */${main}`),
    'main.css': 'body { background: url(icon.svg) }',
    'client.js': code('/* client */'),
    'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'skeleton-form.html': '<img src="%BASE%/icon.svg" alt=""><!--page-->…<!--/page-->',
    'letters.woff2': code('letters'),
  })
}
