import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { variantsOf } from '@anniversary/deploy/target/compress'
import { ROOT } from '@anniversary/e2e/stack'
import { build, deploy } from '@anniversary/e2e/variant'
import { FOLDER } from './lab.ts'

/** Sites of the same app as one bundle (bench/single). */
export async function singleSites(): Promise<Record<'tuned' | 'prerendered', string>> {
  const dist = await build(ROOT, 'bench/single')
  return { tuned: await publish(dist, 'tuned'), prerendered: await publish(dist, 'prerendered') }
}

/** Its HTML is the host's, whose presses no page keeps; this makes it a page's, as the federated site's is. */
async function publish(dist: string, name: string): Promise<string> {
  const site = join(FOLDER, name)
  rmSync(site, { recursive: true, force: true })
  const { code, output } = await deploy(site, 'publish', join(dist, name), '--no-smoke')
  if (code !== 0) throw new Error(output)
  const files = readdirSync(site, { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((file) => file.endsWith('index.html'))) {
    const page = join(site, file)
    const html = readFileSync(page, 'utf8').replace('data-prerendered=""', 'data-prerendered="/"')
    for (const [path, bytes] of [[page, html] as const, ...(await variantsOf(page, Buffer.from(html)))])
      writeFileSync(path, bytes)
  }
  return site
}
