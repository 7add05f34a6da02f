import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliPath, compressed } from '@anniversary/deploy/target/compress'
import { ROOT } from '@anniversary/e2e/stack'
import { build, deploy } from '@anniversary/e2e/variant'
import { FEDERATED, FOLDER } from './lab.ts'

/** Folders of the rivals: the same app as one bundle (bench/single), and the same pages without code. */
export async function rivalSites(): Promise<Record<'tuned' | 'prerendered' | 'static', string>> {
  const dist = await build(ROOT, 'bench/single')
  // Its HTML is the host's, whose presses no page keeps; this makes it a page's, as the federated site's is.
  const asPage = (html: string) => html.replace('data-prerendered=""', 'data-prerendered="/"')
  const withoutCode = (html: string) =>
    html.replace(/<script defer[^>]*><\/script>|<link rel="preload" as="(script|style)"[^>]*>/g, '')
  return {
    tuned: await site('tuned', (folder) => publish(folder, join(dist, 'tuned')), asPage),
    prerendered: await site('prerendered', (folder) => publish(folder, join(dist, 'prerendered')), asPage),
    static: await site('static', (folder) => cpSync(FEDERATED, folder, { recursive: true }), withoutCode),
  }
}

/** Makes a site's folder and changes its pages. */
async function site(name: string, make: (folder: string) => unknown, change: (html: string) => string) {
  const folder = join(FOLDER, name)
  rmSync(folder, { recursive: true, force: true })
  await make(folder)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((file) => file.endsWith('index.html'))) {
    const page = join(folder, file)
    const html = change(readFileSync(page, 'utf8'))
    const variant = await compressed(page, Buffer.from(html))
    writeFileSync(page, html)
    if (variant) writeFileSync(brotliPath(page), variant)
  }
  return folder
}

async function publish(folder: string, dist: string): Promise<void> {
  const { code, output } = await deploy(folder, 'publish', dist, '--no-smoke')
  if (code !== 0) throw new Error(output)
  // /megalive frames it, and a bundle has no public files.
  for (const file of readdirSync(FEDERATED).filter((file) => file.startsWith('megalive-sample.html')))
    cpSync(join(FEDERATED, file), join(folder, file))
}
