import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { brotliPath, compressedVariant } from '@anniversary/deploy/target/compress'
import { ROOT } from '@anniversary/e2e/stack'
import { build, checkOut, deploy } from '@anniversary/e2e/variant'
import type { RemoteRoutes } from '@anniversary/shared/contract/composition'
import { FEDERATED, FOLDER } from './lab.ts'

/** Folder of each contestant's site. */
export type Sites = Readonly<Record<string, string>>

/**
 * `static` is the federated site's pages without code; bench/rivals builds the
 * others.
 */
export const sitesNow = (): Promise<Sites> => withRivals('now', FEDERATED, ROOT)

/** The same sites after a release that changes one text of mf-auth. */
export async function sitesAfterRelease({ stock, 'stock tuned': tuned }: Sites): Promise<Sites> {
  const root = await checkOut({
    'mf-auth/src/texts/login.ts': [['ít nhất 3 ký tự', 'ít nhất ba ký tự']],
  })
  const federated = site('after/federated', FEDERATED)
  await publish(federated, await build(root, 'mf-auth'))
  return withRivals('after', federated, root, { stock, tuned })
}

/**
 * @param before the folders of stock, into which the release puts the remote
 * alone
 */
async function withRivals(
  name: string,
  federated: string,
  root: string,
  before: { stock?: string | undefined; tuned?: string | undefined } = {},
): Promise<Sites> {
  const dist = await build(root, 'bench/rivals')
  const bundle = async (variant: string) => {
    const folder = site(`${name}/${variant}`)
    await publish(folder, join(dist, variant))
    // Marks the HTML as a remote's page, as in the federated site, so that
    // early clicks are kept.
    await changePages(folder, (html) => html.replace('data-prerendered=""', 'data-prerendered="/"'))
    return folder
  }
  const stock = (variant: string, old = join(dist, variant)) => {
    const folder = site(`${name}/${variant}`, old)
    rmSync(join(folder, 'mf-auth'), { recursive: true })
    cpSync(join(dist, variant, 'mf-auth'), join(folder, 'mf-auth'), { recursive: true })
    return folder
  }
  const all = {
    federated,
    stock: stock('stock', before.stock),
    'stock tuned': stock('stock-tuned', before.tuned),
    bundle: await bundle('bundle'),
    prerendered: await bundle('prerendered'),
    static: site(`${name}/static`, federated),
  }
  for (const remote of readdirSync(all['stock tuned']).filter((file) => file.startsWith('mf-')))
    addPreloads(all['stock tuned'], remote)
  await compressAll(all.stock)
  await compressAll(all['stock tuned'])
  await changePages(all.static, (html) =>
    html.replace(
      /<script defer[^>]*><\/script>|<link rel="preload" as="(script|style)"[^>]*>/g,
      '',
    ),
  )
  // /megalive frames it, and only the federated site has public files of
  // remotes.
  for (const folder of Object.values(all))
    for (const file of readdirSync(federated).filter((file) =>
      file.startsWith('megalive-sample.html'),
    ))
      if (!existsSync(join(folder, file))) cpSync(join(federated, file), join(folder, file))
  return all
}

/** Makes a new folder. @param from its first content */
function site(name: string, from?: string): string {
  const folder = join(FOLDER, name)
  rmSync(folder, { recursive: true, force: true })
  if (from) cpSync(from, folder, { recursive: true })
  return folder
}

const publish = (folder: string, dist: string) => deploy(folder, 'publish', dist, '--no-smoke')

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.br'))
    .map((entry) => join(entry.parentPath, entry.name))

async function changePages(folder: string, change: (html: string) => string): Promise<void> {
  for (const page of filesIn(folder).filter((file) => file.endsWith('index.html'))) {
    writeFileSync(page, change(readFileSync(page, 'utf8')))
    await compress(page)
  }
}

async function compressAll(folder: string): Promise<void> {
  for (const file of filesIn(folder)) await compress(file)
}

async function compress(file: string): Promise<void> {
  const variant = await compressedVariant(file, readFileSync(file))
  if (variant) writeFileSync(brotliPath(file), variant)
}

/** The part of upstream's manifest that this file reads. */
interface StockManifest {
  readonly exposes: readonly {
    readonly path: string
    readonly assets: Record<'js' | 'css', { readonly sync: readonly string[] }>
  }[]
}

/**
 * Gives each route of a remote its own page, which preloads all files that the
 * route needs of the remote.
 */
function addPreloads(folder: string, remote: string): void {
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  const { exposes } = read<StockManifest>(folder, remote, 'mf-manifest.json')
  for (const [route, { expose }] of Object.entries(
    read<RemoteRoutes>(ROOT, remote, 'routes.json'),
  )) {
    const assets = exposes.find(({ path }) => path === expose)?.assets
    if (!assets) throw new Error(`${remote} does not expose ${expose}`)
    const link = (as: string) => (file: string) =>
      `<link rel="preload" as="${as}" href="/${remote}/${file}">`
    const links = [
      `<link rel="preload" as="fetch" crossorigin href="/${remote}/mf-manifest.json">`,
      ...['remoteEntry.js', ...assets.js.sync].map(link('script')),
      ...assets.css.sync.map(link('style')),
    ]
    mkdirSync(join(folder, route), { recursive: true })
    writeFileSync(
      join(folder, route, 'index.html'),
      html.replace('<script', `${links.join('')}<script`),
    )
  }
}

const read = <T>(...path: readonly string[]) => JSON.parse(readFileSync(join(...path), 'utf8')) as T // own builds
