import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { startProcess } from '../src/process.ts'
import { ROOT } from '../src/stack.ts'
import { expect, test } from '../src/test.ts'
import { deploy } from '../src/variant.ts'

const execute = promisify(execFile)

test('the guide leads from an empty folder to a live remote', { tag: '@nightly' }, async ({
  page,
  stack,
}) => {
  const empty = await mkdtemp(join(tmpdir(), 'outside-'))
  const folder = join(empty, 'mf-winners')
  const title = page.getByRole('heading', { name: 'Trang mới' })
  const env = { ...process.env, DEPLOY_SITE: stack.siteDir }
  const here = (command: string) =>
    command
      .replaceAll('../mf-winners', folder)
      .replaceAll('https://staging.example', `${stack.url} --port 0`)
  const run = async (command: string, cwd = folder) => {
    const { stdout } = await execute('sh', ['-c', here(command)], { cwd, env })
    return stripVTControlCharacters(stdout)
  }
  const guide = await readFile(join(ROOT, 'docs/use/new-remote.md'), 'utf8')
  const [, commands = ''] =
    /^## In a repository of its own$.*?^```sh\n(.*?)^```$/ms.exec(guide) ?? []
  const [make = '', enter, install = '', check = '', dev = '', preview = '', publish = ''] =
    commands.split('\n')
  try {
    await run(make, ROOT)
    expect(enter).toBe('cd ../mf-winners')
    await run(install)
    await run(check)

    const ready = /from here: (http:\/\/\S+)/
    const server = await startProcess(['sh', '-c', `exec ${here(dev)}`], {
      cwd: folder,
      env,
      ready,
    })
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
    await deploy(stack.siteDir, 'disable', 'mf-winners')
    await deploy(stack.siteDir, 'remove', 'mf-winners')
  } finally {
    await rm(empty, { recursive: true, force: true })
  }
})
