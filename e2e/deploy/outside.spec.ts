import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { startProcess } from '@anniversary/tools/test/start-process'
import type { Browser, BrowserContext } from '@playwright/test'
import { editSource } from '../src/copy-sources.ts'
import { ROOT } from '../src/stack.ts'
import { expect, test } from '../src/test.ts'
import { deploy } from '../src/variant.ts'

/** The commands of the guide's chapter, one a line. */
async function guideCommands(chapter: string): Promise<string[]> {
  const guide = await readFile(join(ROOT, 'docs/guides/new-remote.md'), 'utf8')
  const [, block = ''] = /```sh\n(.*?)```/s.exec(guide.split(`## ${chapter}`)[1] ?? '') ?? []
  return block.trim().split('\n')
}

/** The API takes 120 reports a minute from one address; a page that throws sends two. */
const MOST_VISITORS = 75
const VISITORS_AT_ONCE = 6
const SHORT_DAY = '50,100 --every 3s'
/** Milliseconds after which a command hangs. */
const PATIENCE = 180_000

/** Visitors open a page and leave it, until it is enough. */
async function visit(browser: Browser, url: string, isEnough: () => boolean): Promise<void> {
  let visitors = 0
  const contexts: BrowserContext[] = []
  const visitOneByOne = async () => {
    while (!isEnough() && visitors < MOST_VISITORS) {
      visitors += 1
      const context = await browser.newContext()
      // Closed at the end: its report may be on the way.
      contexts.push(context)
      const page = await context.newPage()
      const telemetry = page.waitForResponse(/\/telemetry\.[^/]+\.js$/)
      await page.goto(url)
      await (await telemetry).finished()
      await page.goto('about:blank')
    }
  }
  await Promise.all(Array.from({ length: VISITORS_AT_ONCE }, visitOneByOne))
  await Promise.all(contexts.map((context) => context.close()))
}

test('the guide, followed to the letter, leads from an empty folder to a live remote and to a canary that its judge ends @nightly', async ({
  browser,
  page,
  stack,
}) => {
  test.setTimeout(420_000)
  const empty = await mkdtemp(join(tmpdir(), 'outside-'))
  const folder = join(empty, 'mf-winners')
  const title = page.getByRole('heading', { name: 'Trang mới' })
  const reports = `${stack.url}/api/reports`
  const env = { ...process.env, DEPLOY_SITE: stack.siteDir, DEPLOY_REPORTS: reports }
  /** The guide's command with this machine's names. */
  const here = (command: string) =>
    command
      .replaceAll('../mf-winners', folder)
      .replaceAll('https://staging.example', `${stack.url} --port 0`)
      // Visitors come faster than a day's.
      .replaceAll('5,25,50,100 --every 10m', SHORT_DAY)
  /** Runs a command as a person types it, and prints it with its output. Resolves when it has ended, also by an error. */
  const run = (command: string, cwd: string) =>
    new Promise<{ code: number; output: string }>((done) => {
      const merged = `(${here(command)}) 2>&1`
      const child = execFile('sh', ['-c', merged], { cwd, env, timeout: PATIENCE }, (_error, output) => {
        console.log(`$ ${command}\n${output}`)
        done({ code: child.exitCode ?? -1, output: stripVTControlCharacters(output) })
      })
    })
  const [make = '', enter, install = '', check = '', dev = '', preview = '', publish = '', canary = ''] =
    await guideCommands('In a repository of its own')
  const succeed = async (command: string, cwd = folder) => {
    const { code, output } = await run(command, cwd)
    expect(code, output).toBe(0)
    return output
  }
  await deploy(stack.siteDir, 'config', 'reportSample=1')
  try {
    await succeed(make, ROOT)
    expect(enter).toBe('cd ../mf-winners')
    await succeed(install)
    await succeed(check)

    const ready = /from here: (http:\/\/\S+)/
    const server = await startProcess(['sh', '-c', `exec ${here(dev)}`], { cwd: folder, env, ready })
    await page.goto(`${server.ready[0]}/winners`)
    await expect(title).toBeVisible()
    // An open page would report that its dev server is gone.
    await page.goto('about:blank')
    await server.stop()

    const [link = ''] = /^\/preview\/\S+/m.exec(await succeed(preview)) ?? []
    await page.goto(new URL(link, stack.url).href)
    await expect(title).toBeVisible()
    await succeed(publish)
    await page.goto(`${stack.url}/winners`)
    await expect(title).toBeVisible()
    await expect(page).toHaveTitle(/^Trang mới · /)

    // A mistake that a team's own test and the smoke test miss: both are logged in.
    await editSource(
      folder,
      'src/WinnersPage.tsx',
      'import styles',
      "import { useEffect } from 'react'\nimport styles",
    )
    const line = 'useEffect(() => void host.session.current()!.username)'
    await editSource(folder, 'src/WinnersPage.tsx', '  return (', `  ${line}\n  return (`)
    let hasEnded = false
    const judged = run(canary, folder).finally(() => {
      hasEnded = true
    })
    await expect
      // It is built first.
      .poll(async () => (await deploy(stack.siteDir, 'status')).output, { timeout: 60_000 })
      .toMatch(/canary goes on to 100 %/)
    await visit(browser, `${stack.url}/winners`, () => hasEnded)
    const { code, output } = await judged
    expect(code, output).toBe(1)
    expect(output).toMatch(/mf-winners canary \S+ ended: threw in 100 % of \d+ views, current 0\.0 % of \d+/)
    const [last] = JSON.parse((await deploy(stack.siteDir, 'history', '--json')).output)
    expect(last.change).toMatchObject({ verb: 'judge', judgement: { current: { threw: 0 } } })
    expect(last.remotes['mf-winners'].canary).toBeUndefined()
    await page.goto(`${stack.url}/winners`)
    await expect(title).toBeVisible()
    await succeed('npx deploy errors mf-winners')
  } finally {
    await deploy(stack.siteDir, 'config', 'reportSample=0')
    await deploy(stack.siteDir, 'disable', 'mf-winners')
    await deploy(stack.siteDir, 'remove', 'mf-winners')
    await rm(empty, { recursive: true, force: true })
  }
})
