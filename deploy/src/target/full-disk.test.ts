import { execFileSync } from 'node:child_process'
import { mkdtemp, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FileTarget } from './file-target.ts'

test('on a full disk a write says so, and leaves nothing half written', async () => {
  const disk = await mkdtemp(join(tmpdir(), 'full-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk], { stdio: 'pipe' })
  } catch {
    await rmdir(disk)
    return console.warn('Skipped: mounting a small disk needs root')
  }
  try {
    const target = new FileTarget(disk)
    await target.write('a', Buffer.from('before'))
    await expect(target.write('a', Buffer.alloc(100_000))).rejects.toThrow(/disk is full.*deploy prune/)
    expect(await target.list('')).toEqual(['a'])
    expect((await target.read('a'))?.toString()).toBe('before')
  } finally {
    execFileSync('umount', [disk])
    await rmdir(disk)
  }
})
