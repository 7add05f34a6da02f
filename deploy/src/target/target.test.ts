import { existsSync, readFileSync, readlinkSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { HeadObjectCommand } from '@aws-sdk/client-s3'
import { newSite, serve, temporaryFolder } from '../../test/fixture-builds.ts'
import { BUCKET, type S3Server, startS3 } from '../../test/s3-server.ts'
import { FileTarget } from './file-target.ts'
import { OverlayTarget } from './overlay-target.ts'
import { S3Target } from './s3-target.ts'
import type { Target } from './target.ts'

let s3: S3Server
beforeAll(async () => {
  s3 = await startS3()
})
afterAll(() => s3.close())

let prefixes = 0
const kinds: [string, () => Promise<Target>][] = [
  ['a folder', () => newSite()],
  ['a bucket', async () => s3.target(`site-${++prefixes}/`)],
  ['an overlay', async () => new OverlayTarget(await newSite())],
]
const bytes = (text: string) => Buffer.from(text)

describe.each(kinds)('%s', (_kind, open) => {
  test('files keep their content and age', async () => {
    const target = await open()
    await target.write('a/b/c.txt', bytes('một'))
    await target.write('a/b/c.txt', bytes('hai'))
    expect((await target.read('a/b/c.txt'))?.toString()).toBe('hai')
    expect(await target.read('a/b')).toBeNull()
    expect(await target.read('a/b/c.txt/d')).toBeNull()
    // A bucket counts in seconds.
    expect(Math.abs((await target.age('a/b/c.txt')) ?? Number.NaN)).toBeLessThan(60_000)
    expect(await target.age('never-there')).toBeNull()
  })

  test('of many who create the same path exactly one does', async () => {
    const target = await open()
    const won = await Promise.all(
      Array.from({ length: 12 }, (_, n) => target.create('one.json', bytes(`${n}`))),
    )
    expect(won.filter(Boolean)).toHaveLength(1)
    expect((await target.read('one.json'))?.toString()).toBe(String(won.indexOf(true)))
  })

  test('list and remove work beyond one page of a bucket', async () => {
    const target = await open()
    const many = Array.from({ length: 50 }, (_, n) => `a/many/${n + 100}`)
    for (const path of ['a/1', 'a/2', ...many, 'ab/3', 'b']) await target.write(path, bytes(path))
    expect(await target.list('a')).toEqual(['a/1', 'a/2', ...many])
    await target.remove('a/1')
    await target.remove('never-there')
    expect(await target.list('')).toEqual(['a/2', ...many, 'ab/3', 'b'])
  })
})

test.each(['write', 'create'] as const)(
  '%s syncs a file, names it, then syncs each folder that it made',
  async (how) => {
    const parent = await temporaryFolder()
    const target = new FileTarget(join(parent, 'site'))
    const handle = await open(parent)
    const handles: FileHandle = Object.getPrototypeOf(handle)
    await handle.close()
    const { sync } = handles
    const syncsOf = async (path: string) => {
      const synced: [isNamed: boolean, what: string][] = []
      handles.sync = async function () {
        const at = readlinkSync(`/proc/self/fd/${this.fd}`)
        const isFolder = (await this.stat()).isDirectory()
        const what = isFolder ? relative(parent, at) : readFileSync(at, 'utf8')
        synced.push([existsSync(join(target.root, path)), what])
      }
      await target[how](path, bytes('một'))
      return synced
    }
    try {
      expect(await syncsOf('a/b/1')).toEqual([
        [false, 'một'],
        [true, 'site/a/b'],
        [true, 'site/a'],
        [true, 'site'],
        [true, ''],
      ])
      expect(await syncsOf('a/b/2')).toEqual([
        [false, 'một'],
        [true, 'site/a/b'],
      ])
    } finally {
      handles.sync = sync
    }
  },
)

test('an overlay keeps its base, and paths stay in the folder', async () => {
  const base = await newSite()
  await base.write('a', bytes('base'))
  const overlay = new OverlayTarget(base)
  await overlay.write('b', bytes('new'))
  await overlay.remove('a')
  expect(await overlay.list('')).toEqual(['b'])
  expect(await base.list('')).toEqual(['a'])
  await expect(base.read('../x')).rejects.toThrow(/outside/)
})

test('files in a bucket have a type and cache headers', async () => {
  const target = s3.target('typed/')
  const version = 'shell/1.0.0-0123456789ab'
  await target.write(`${version}/main.js`, bytes('x'))
  await target.write('index.html', bytes('x'))
  const head = async (key: string) =>
    await s3.client().send(new HeadObjectCommand({ Bucket: BUCKET, Key: `typed/${key}` }))
  expect(await head(`${version}/main.js`)).toMatchObject({
    ContentType: 'text/javascript; charset=utf-8',
    CacheControl: 'public, max-age=31536000, immutable',
  })
  const page = await head('index.html')
  expect(page).toMatchObject({ ContentType: 'text/html; charset=utf-8', CacheControl: 'no-cache' })
})

test('a failed bucket call names its key and reason in time', async () => {
  const refused = new S3Target(s3.client(), 'another-bucket', '')
  await expect(refused.read('composition.json')).rejects.toThrow(
    /^GetObject s3:\/\/another-bucket\/composition\.json: NoSuchBucket/,
  )
  const silent = await serve(() => undefined)
  const hanging = new S3Target(s3.client(silent), BUCKET, '', 200)
  await expect(hanging.write('a', bytes('x'))).rejects.toThrow(
    /^PutObject s3:\/\/event-site\/a: no answer within 0\.2 s/,
  )
})

test('a bucket without conditional writes is rejected', async () => {
  const old = await startS3({ conditional: false })
  await expect(old.target().create('mf-auth/immutable/x', bytes('x'))).rejects.toThrow(
    /ignores conditional writes/,
  )
  await old.close()
})
