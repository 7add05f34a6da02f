import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { variantsOf } from '@anniversary/deploy/target/compress'
import { editSource } from '@anniversary/e2e/copy-sources'
import { ROOT } from '@anniversary/e2e/stack'
import { build, checkOut, deploy } from '@anniversary/e2e/variant'
import { FEDERATED, FOLDER } from './lab.ts'

/** An empty folder for a site, or one with a copy of another. */
function siteFolder(name: string, from?: string): string {
  const folder = join(FOLDER, name)
  rmSync(folder, { recursive: true, force: true })
  if (from) cpSync(from, folder, { recursive: true })
  return folder
}

/** Publishes builds as a team does. */
async function publish(site: string, builds: readonly string[]): Promise<string> {
  const { code, output } = await deploy(site, 'publish', ...builds, '--no-smoke')
  if (code !== 0) throw new Error(output)
  return site
}

/** Sites of the same app as one bundle (bench/single). */
export async function singleSites(): Promise<Record<'plain' | 'tuned' | 'prerendered', string>> {
  const dist = await build(ROOT, 'bench/single')
  const site = (name: string) => publishSingle(siteFolder(name), join(dist, name))
  return { plain: await site('plain'), tuned: await site('tuned'), prerendered: await site('prerendered') }
}

/** Its pages are what a team with one bundle writes: without the integrity of its own files. */
async function publishSingle(site: string, single: string): Promise<string> {
  await publish(site, [single])
  const files = readdirSync(site, { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((name) => name.endsWith('index.html'))) {
    const page = join(site, file)
    const html = readFileSync(page, 'utf8').replace(/ (integrity|crossorigin)="[^"]*"/g, '')
    for (const [path, bytes] of [[page, html] as const, ...(await variantsOf(page, Buffer.from(html)))])
      writeFileSync(path, bytes)
  }
  return site
}
/** Sites on which something was deployed since a visit: one text changed, built and published. */
export async function changedSites(): Promise<Record<string, { before: string; after: string }>> {
  // Both states are built in one folder: ids of modules depend on where they are.
  const copy = await checkOut({})
  const single = async () => join(await build(copy, 'bench/single'), 'tuned')
  const federated = await publish(siteFolder('before', FEDERATED), [
    await build(copy, 'shell'),
    await build(copy, 'mf-auth'),
  ])
  const tuned = await publishSingle(siteFolder('tuned-before'), await single())
  await editSource(copy, 'mf-auth/src/texts/login.ts', "title: '", "title: 'Mới: ")
  await editSource(copy, 'shell/src/texts.ts', "reload: '", "reload: 'Mới: ")
  const change = async (name: string) => ({
    before: federated,
    after: await publish(siteFolder(`${name}-changed`, federated), [await build(copy, name)]),
  })
  return {
    'nothing changed': { before: federated, after: federated },
    'mf-auth deployed': await change('mf-auth'),
    'shell deployed': await change('shell'),
    'tuned bundle deployed': {
      before: tuned,
      after: await publishSingle(siteFolder('tuned-changed', tuned), await single()),
    },
  }
}

/** The federated site with so many further remotes: the template's page, published under other names. */
export async function siteWithFurther(remotes: number, template: string): Promise<string> {
  const site = siteFolder(`further-${remotes}`, FEDERATED)
  const builds = Array.from({ length: remotes }, (_, index) => {
    const copy = join(FOLDER, `remote-${index}`)
    rmSync(copy, { recursive: true, force: true })
    cpSync(template, copy, { recursive: true })
    const manifest = join(copy, 'build.json')
    const renamed = readFileSync(manifest, 'utf8')
      .replace('"mf-template"', `"mf-further-${index}"`)
      .replace('"/template"', `"/further-${index}"`)
    writeFileSync(manifest, renamed)
    return copy
  })
  return remotes === 0 ? site : await publish(site, builds)
}

/** Builds the template of `npm run new:remote`. Resolves with its output folder. */
export async function buildTemplate(): Promise<string> {
  const copy = await checkOut({})
  cpSync(join(ROOT, 'templates/remote'), join(copy, 'mf-template'), { recursive: true })
  return await build(copy, 'mf-template')
}
