import {
  contextOf,
  letRest,
  missionsBuild,
  newSite,
  publishTo,
  remoteBuild,
  shellBuild,
  type TestSite,
} from '../../test/fixture-builds.ts'
import { allPreviews, previewRecordPath } from '../site/preview.ts'
import { startCanary } from './canary.ts'
import { changeSettings, switchRemote } from './configure.ts'
import { createPreview, stopPreview } from './preview.ts'
import { verifySite } from './verify.ts'

const DAY = 86_400_000

let target: TestSite
beforeEach(async () => {
  target = await newSite(shellBuild(), remoteBuild(), missionsBuild())
})

async function preview(...builds: string[]) {
  const { preview, warnings } = await createPreview(target, builds, {
    for: 30 * DAY,
  })
  return { ...preview, warnings }
}
const text = async (path: string) => (await target.read(path))?.toString() ?? ''
async function livePages() {
  const paths = (await target.list('')).filter(
    (path) => !/^(preview|\.deploy)\/|\/1\.0\.0-/.test(path),
  )
  return await Promise.all(paths.map(async (path) => [path, await text(path)]))
}

test('a preview shows the build and changes no live page', async () => {
  const before = await livePages()
  const prerendered = {
    './LoginPage': '<!--$--><a href="/home">Đi</a><a href="/sample.html">Mẫu</a><!--/$-->',
  }
  const { id, shown, link, warnings } = await preview(
    await remoteBuild({ prerendered, trustedTypes: ['vue'] }),
  )
  expect(await livePages()).toEqual(before)
  expect(link).toBe(`/preview/${id}/login`)
  expect(warnings).toEqual([
    expect.stringMatching(/^eventUrl is not set, so the link has no host/),
    expect.stringMatching(/^previews have the live site's policy, which does not allow vue yet/),
  ])
  const page = await text(`preview/${id}/login/index.html`)
  const [, version] = shown[0] ?? []
  expect(page).toContain(`href="/mf-auth/${version}/entry.js"`)
  expect(page).toContain(`<html lang="vi" data-base="/preview/${id}">`)
  expect(page).toMatch(
    new RegExp(
      `Bản xem trước của mf-auth ${version}, có hiệu lực đến .+<a href="/login" target="_self">`,
    ),
  )
  expect(page).toContain(`<a href="/preview/${id}/home">Đi</a><a href="/sample.html">`)
  const [whole = ''] = /(?<="url":")\/preview\/[^"]+\.json/.exec(page) ?? []
  expect(await text(whole.slice(1))).toContain(version)
  expect(await text(`preview/${id}/home/index.html`)).toContain('mf-auth')
  expect((await verifySite(target)).problems).toEqual([])
})

test('a preview has no canary, no fallback and no reports', async () => {
  await changeSettings(target, {
    reportUrl: '/api/reports',
    eventUrl: 'https://event.example/',
  })
  await startCanary(target, await missionsBuild({ text: 'canary' }), 50)
  await switchRemote(target, 'mf-auth', 'off')
  const { id, link, warnings } = await preview(await remoteBuild({ text: 'two' }))
  expect(warnings).toEqual([])
  expect(link).toBe(`https://event.example/preview/${id}/login`)
  const pages = `${await text(`preview/${id}/login/index.html`)}${await text(`preview/${id}/home/index.html`)}`
  expect(pages).toContain('"status":"on"')
  expect(pages).not.toMatch(/canary|"previous"|reportUrl|"off"/)
})

test('verify checks a preview until it is stopped', async () => {
  const { id, shown } = await preview(await remoteBuild({ text: 'two' }))
  const style = `mf-auth/${shown[0]?.[1]}/LoginPage.css`
  await target.remove(style)
  expect((await verifySite(target)).problems).toMatchObject([
    { about: style, found: 'it is missing' },
  ])
  await stopPreview(target, id)
  expect((await verifySite(target)).problems).toEqual([])
  await expect(stopPreview(target, id)).rejects.toThrow(/no such preview/)
})

test('a token that may only read shows and stops no preview', async () => {
  const { id } = await preview(await remoteBuild({ text: 'two' }))
  const reader = contextOf(target, { packages: ['*'], may: 'read' })
  const build = await remoteBuild({ text: 'three' })
  await expect(createPreview(reader, [build], { for: 1 })).rejects.toThrow(/for read only/)
  await expect(stopPreview(reader, id)).rejects.toThrow(/for read only/)
})

test('verify accepts the whole version that a preview leaves, and no other', async () => {
  const { id, shown } = await preview(await remoteBuild({ text: 'two' }))
  await stopPreview(target, id)
  await letRest(target)
  expect(await verifySite(target)).toMatchObject({
    problems: [],
    unnamed: [`mf-auth/${shown[0]?.[1]}`],
  })
  const changed = `mf-auth/${shown[0]?.[1]}/entry.js`
  await target.write(changed, Buffer.from('x'))
  await letRest(target)
  expect((await verifySite(target)).problems).toContainEqual(
    expect.objectContaining({ about: changed, found: 'no publish has written this file' }),
  )
})

test('a preview takes no file name from a publish', async () => {
  const art = (text: string) => remoteBuild({ text, immutable: { 'art.1.svg': text } })
  const { shown } = await preview(await art('evil'))
  await publishTo(target, art('honest'))
  expect(await text('mf-auth/immutable/art.1.svg')).toBe('honest')
  expect(await text(`mf-auth/${shown[0]?.[1]}/art.1.svg`)).toBe('evil')
  expect((await verifySite(target)).problems).toEqual([])
})

test('verify reads the versions that previews leave one after the other', async () => {
  for (const text of ['two', 'three', 'four']) {
    const { id } = await preview(await remoteBuild({ text }))
    await stopPreview(target, id)
  }
  const read = target.read.bind(target)
  const open: string[] = []
  let most = 0
  target.read = async (path) => {
    const [name, version = '', file] = path.split('/')
    if (name !== 'mf-auth' || file === 'build.json') return await read(path)
    open.push(version)
    most = Math.max(most, new Set(open).size)
    return await read(path).finally(() => open.splice(open.indexOf(version), 1))
  }
  expect((await verifySite(target)).unnamed).toHaveLength(3)
  expect(most).toBe(1)
})

test('the next preview removes one that has ended', async () => {
  const ended = await createPreview(target, [await remoteBuild({ text: 'two' })], {
    for: 0,
  })
  const { id } = await preview(await remoteBuild({ text: 'two' }))
  expect(await allPreviews(target)).toMatchObject([{ id }])
  expect(await target.list(`preview/${ended.preview.id}`)).toEqual([])
})

test('verify names the pages of a preview without a record', async () => {
  const { id } = await preview(await remoteBuild({ text: 'two' }))
  await target.write(previewRecordPath(id), Buffer.from('{"id":'))
  expect(await allPreviews(target)).toEqual([])
  await letRest(target)
  expect((await verifySite(target)).problems).toContainEqual(
    expect.objectContaining({ about: `preview/${id}/login/index.html` }),
  )
})
