import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, rm, rmdir, statfs, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { remoteBuild, shellBuild } from '../../test/fixture-builds.ts'
import { prune } from '../verbs/prune.ts'
import { publish } from '../verbs/publish.ts'
import { rollback } from '../verbs/rollback.ts'
import { switchRemote } from '../verbs/switch.ts'
import { verify } from '../verbs/verify.ts'
import { FileTarget } from './file-target.ts'

/** A folder on a disk of 8 MB; null where this process may not mount one. */
let disk: string | null
beforeAll(async () => {
  disk = await mkdtemp(join(tmpdir(), 'full-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', disk], { stdio: 'pipe' })
  } catch {
    await rmdir(disk)
    disk = null
  }
})
afterAll(async () => {
  if (!disk) return
  execFileSync('umount', [disk])
  await rmdir(disk)
})

/** Takes all that is left. */
async function fill(folder: string): Promise<void> {
  for (let size = 1024 * 1024; size >= 4096; size /= 2)
    while ((await statfs(folder)).bavail * (await statfs(folder)).bsize >= size)
      await writeFile(join(folder, `other-${Math.random()}`), Buffer.alloc(size))
}
const temporaries = async (folder: string) =>
  (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('.tmp'))

test('on a full disk a publish leaves no file half written; going back, switching off and pruning work', async () => {
  if (!disk) return console.warn('Skipped: mounting a small disk needs root')
  const target = new FileTarget(disk)
  await publish(target, [await shellBuild(), await remoteBuild({ text: 'one' })])
  await publish(target, [await remoteBuild({ text: 'two' })])
  const leftover = 'index.html.0123abcd.tmp'
  await writeFile(join(disk, leftover), 'of a killed process')
  await utimes(join(disk, leftover), 0, 0)

  await fill(disk)
  const three = [await remoteBuild({ text: 'three' })]
  await expect(publish(target, three)).rejects.toThrow(/disk is full.*deploy prune/)
  expect(await temporaries(disk)).toEqual([leftover])

  await rollback(target, { name: 'mf-auth' })
  await switchRemote(target, 'mf-auth', 'off')
  expect((await verify(target)).problems).toEqual([])
  const { removed } = await prune(target, { keep: 1, days: 0 })
  expect(removed).toEqual([expect.stringMatching(/^mf-auth\//)])
  expect(await temporaries(disk)).toEqual([])

  // Others free their space: the next time is provided for.
  for (const name of await readdir(disk)) if (name.startsWith('other-')) await rm(join(disk, name))
  await publish(target, three)
  await fill(disk)
  await rollback(target, {})
  expect((await verify(target)).problems).toEqual([])
})
