import { spawn } from 'node:child_process'
import { join } from 'node:path'
import {
  remoteBuild,
  removeTemporaryFolders,
  shellBuild,
  temporaryFolder,
} from '../../test/fixture-builds.ts'
import { type S3Server, startS3 } from '../../test/s3-server.ts'
import { allRecords, newestRecord } from '../site/record.ts'
import { FileTarget } from '../target/file-target.ts'
import type { Target } from '../target/target.ts'
import { publish } from './publish.ts'
import { verify } from './verify.ts'

/*
 * Teams publish at the same moment, from different machines: every publish lands, in some order, and none is lost.
 */

/** Of the bucket fewer, whose server takes most of the time. Ten of both: DEPLOY_ROUNDS=10. */
const ROUNDS = {
  folder: Number(process.env.DEPLOY_ROUNDS ?? 4),
  bucket: Number(process.env.DEPLOY_ROUNDS ?? 2),
}
const PUBLISHES = 20
const NAMES = ['mf-auth', 'mf-missions', 'mf-history', 'mf-megalive']

let s3: S3Server
beforeAll(async () => {
  s3 = await startS3()
})
afterAll(async () => {
  await s3.close()
  await removeTemporaryFolders()
})

let prefixes = 0
/** Each call of what is returned is another machine: an own client on the same site. */
const kinds: [string, number, () => Promise<() => Target>][] = [
  [
    'a folder',
    ROUNDS.folder,
    async () => {
      const folder = await temporaryFolder()
      return () => new FileTarget(folder)
    },
  ],
  [
    'a bucket',
    ROUNDS.bucket,
    async () => {
      const prefix = `round-${++prefixes}/`
      return () => s3.target(prefix)
    },
  ],
]

let shell = ''
let builds: { name: string; folder: string }[] = []
beforeAll(async () => {
  shell = await shellBuild()
  builds = await Promise.all(
    Array.from({ length: PUBLISHES }, async (_, n) => {
      const name = NAMES[n % NAMES.length] ?? ''
      return {
        name,
        folder: await remoteBuild({ name, text: `${n}`, exposes: ['./LoginPage', './HomePage'] }),
      }
    }),
  )
})

test.each(kinds)(
  'twenty publishes of four remotes at once into %s, %d times',
  async (_kind, rounds, newSite) => {
    for (let round = 0; round < rounds; round++) {
      const machine = await newSite()
      await publish(machine(), [shell])
      const outcomes = await Promise.all(builds.map(({ folder }) => publish(machine(), [folder])))

      const numbers = outcomes.map(({ record }) => record.number).sort((a, b) => a - b)
      expect(numbers).toEqual(Array.from({ length: PUBLISHES }, (_, n) => n + 2))
      const records = await allRecords(machine())
      // Each state keeps what the one before had put live, but for the remote that it changes.
      for (const [n, record] of records.slice(1).entries())
        for (const [name, remote] of Object.entries(records[n]?.remotes ?? {}))
          if (!record.change.packages.includes(name)) expect(record.remotes[name]).toEqual(remote)
      expect(Object.keys(records.at(-1)?.remotes ?? {})).toEqual([...NAMES].sort())
      expect((await verify(machine())).problems).toEqual([])
    }
  },
  240_000,
)

test('eight processes publish at once, one of them is killed', async () => {
  const folder = await temporaryFolder()
  const target = new FileTarget(folder)
  await publish(target, [shell])
  const cli = join(import.meta.dirname, '../cli/main.ts')
  const runs = builds.slice(0, 8).map((build) => {
    const args = ['publish', build.folder, '--site', folder, '--no-smoke']
    const child = spawn(process.execPath, ['--import', 'tsx', cli, ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    return { child, done: new Promise<number | null>((resolve) => child.once('close', resolve)) }
  })
  setTimeout(() => runs[7]?.child.kill('SIGKILL'), 900)
  const codes = await Promise.all(runs.map(({ done }) => done))
  expect(codes.slice(0, 7)).toEqual(Array.from({ length: 7 }, () => 0))
  // The next publish mends whatever the killed one left half done.
  await publish(target, [builds[19]?.folder ?? ''])
  expect((await verify(target)).problems).toEqual([])
  expect((await newestRecord(target))?.number).toBeGreaterThanOrEqual(9)
}, 60_000)
