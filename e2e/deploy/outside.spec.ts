import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { startProcess } from '../src/process.ts'
import { ROOT } from '../src/stack.ts'
import { expect, test } from '../src/test.ts'
import { deploy } from '../src/variant.ts'

const execute = promisify(execFile)
const PATIENCE = 180_000

async function clear(site: string, folder: string): Promise<void> {
  await deploy(site, 'disable', 'mf-winners')
  await deploy(site, 'remove', 'mf-winners')
  await rm(folder, { recursive: true, force: true })
}

/** Reads the code blocks of a guide's introduction and of one chapter: the commands, and the files by their paths. */
async function readGuide(name: string, title: string) {
  const guide = await readFile(join(ROOT, `docs/use/${name}.md`), 'utf8')
  const [common = '', ...chapters] = guide.split(/^## /m)
  const chapter = chapters.find((one) => one.startsWith(title)) ?? ''
  const blocksIn = (part: string) => [...part.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)]
  return {
    commands:
      blocksIn(chapter)
        .find(([, language]) => language === 'sh')?.[3]
        ?.trim() ?? 'false',
    files: blocksIn(common + chapter).flatMap(([, , file, text = '']) =>
      file ? [[file, text] as const] : [],
    ),
  }
}

test('the guide leads from an empty folder to a live remote', { tag: '@nightly' }, async ({
  page,
  stack,
}) => {
  test.setTimeout(420_000)
  const empty = await mkdtemp(join(tmpdir(), 'outside-'))
  const folder = join(empty, 'mf-winners')
  const title = page.getByRole('heading', { name: 'Trang mới' })
  const env = { ...process.env, DEPLOY_SITE: stack.siteDir }
  const here = (command: string) =>
    command.replaceAll('../mf-winners', folder).replaceAll('https://staging.example', `${stack.url} --port 0`)
  const run = async (command: string, cwd = folder) => {
    const { stdout } = await execute('sh', ['-c', here(command)], { cwd, env, timeout: PATIENCE })
    return stripVTControlCharacters(stdout)
  }
  const { commands } = await readGuide('new-remote', 'In a repository of its own')
  const [make = '', enter, install = '', check = '', dev = '', preview = '', publish = ''] =
    commands.split('\n')
  try {
    await run(make, ROOT)
    expect(enter).toBe('cd ../mf-winners')
    await run(install)
    await run(check)

    const ready = /from here: (http:\/\/\S+)/
    const server = await startProcess(['sh', '-c', `exec ${here(dev)}`], { cwd: folder, env, ready })
    await page.goto(`${server.ready[0]}/winners`)
    await expect(title).toBeVisible()
    // An open page would report that its dev server has stopped.
    await page.goto('about:blank')
    await server.stop()

    const [link = ''] = /^\/preview\/\S+/m.exec(await run(preview)) ?? []
    await page.goto(new URL(link, stack.url).href)
    await expect(title).toBeVisible()
    await run(publish)
    await page.goto(`${stack.url}/winners`)
    await expect(title).toBeVisible()
    await expect(page).toHaveTitle(/^Trang mới · /)
  } finally {
    await clear(stack.siteDir, empty)
  }
})

test("the guide's webpack repository goes live", { tag: '@nightly' }, async ({ page, stack }) => {
  test.setTimeout(300_000)
  const { commands, files } = await readGuide('bundlers', 'webpack')
  const folder = await mkdtemp(join(tmpdir(), 'bundler-'))
  try {
    for (const [file, text] of files) {
      await mkdir(dirname(join(folder, file)), { recursive: true })
      await writeFile(join(folder, file), text)
    }
    // As the package of a registry would be run.
    const script = commands.replaceAll('npx deploy', `node ${join(ROOT, 'deploy/bin/deploy.js')}`)
    const env = { ...process.env, DEPLOY_SITE: stack.siteDir }
    await execute('sh', ['-ec', script], { cwd: folder, env })

    await page.goto(`${stack.url}/winners`)
    await page.getByRole('button', { name: 'Đã xem 0' }).click()
    await expect(page.getByRole('button', { name: 'Đã xem 1' })).toBeVisible()
    await page.getByRole('button', { name: 'Về trang chủ' }).click()
    await expect(page).toHaveURL(`${stack.url}/`)
  } finally {
    await clear(stack.siteDir, folder)
  }
})
