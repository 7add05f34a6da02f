import { remoteBuild, shellBuild, temporaryFolder } from '../../test/fixture-builds.ts'
import { FileTarget } from '../target/file-target.ts'
import { publish } from './publish.ts'
import { rollback } from './rollback.ts'

/*
 * What grows with the number of remotes and versions, printed as a table. `npm run bench:deploy` takes more of both, or as
 * many as REMOTES and VERSIONS say.
 */

const counts = (process.env.REMOTES ?? '1,6').split(',').map(Number)
const versions = Number(process.env.VERSIONS ?? 2)

/** Counts what is read, which is what a bucket is slow at. */
class CountingTarget extends FileTarget {
  reads = 0

  override async read(path: string): Promise<Buffer | null> {
    this.reads += 1
    return await super.read(path)
  }
}

async function seconds(task: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await task()
  return (performance.now() - began) / 1000
}

/** A site of so many remotes, one of which has so many versions. */
async function measure(remotes: number) {
  const target = new CountingTarget(await temporaryFolder())
  const names = Array.from({ length: remotes }, (_, index) => `mf-team-${index}`)
  const make = (name: string, text: string) =>
    remoteBuild({ name, text, routes: { [`/${name.slice(3)}`]: { title: name, expose: './LoginPage' } } })
  const others = names.slice(1).map((name) => make(name, name))
  await publish(target, [await shellBuild(), await make('mf-team-0', '1'), ...(await Promise.all(others))])
  const bytesOf = async (path: string) => (await target.read(`${path}.br`))?.length ?? 0
  const [whole = ''] = (await target.list('composition')).filter((path) => path.endsWith('.json'))
  const published: number[] = []
  for (let version = 2; version <= versions; version += 1) {
    const build = await make('mf-team-0', `${version}`)
    published.push(await seconds(() => publish(target, [build])))
  }
  target.reads = 0
  const back = await seconds(() => rollback(target, { name: 'mf-team-0' }))
  return {
    'page (bytes)': await bytesOf('team-0/index.html'),
    'whole (bytes)': await bytesOf(whole),
    'last publish (s)': published.at(-1)?.toFixed(2),
    'rollback (s)': back.toFixed(2),
    'rollback reads': target.reads,
  }
}

test('a page stays as it is, however many other remotes the site has', async () => {
  const rows: Record<string, Awaited<ReturnType<typeof measure>>> = {}
  for (const count of counts) rows[`${count} remotes`] = await measure(count)
  console.table(rows)
  const pages = Object.values(rows).map((row) => row['page (bytes)'])
  expect(Math.min(...pages)).toBeGreaterThan(300)
  expect(Math.max(...pages) - Math.min(...pages)).toBeLessThan(100)
}, 1_800_000)
