import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProcess } from '@anniversary/tools/test/start-process'
import type { Browser, BrowserContext } from '@playwright/test'
import { recordCommands } from '../src/command-record.ts'
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

/** Visitors open a page and leave it, until it is enough. Resolves with their number. */
async function visit(browser: Browser, url: string, isEnough: () => boolean): Promise<number> {
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
  return visitors
}

/** For `npm run prove:outside`. */
const RECORD = join(ROOT, 'docs/first-day.md')
const recordOf = (commands: string, mistake: string, visitors: number) => `# A first day

Written by \`npm run prove:outside\` on ${availableParallelism()} processors (load ${loadavg()[0]?.toFixed(1)}): the commands that the
[guide](guides/new-remote.md#in-a-repository-of-its-own) gives a new team, from an empty folder to a live remote and to a
canary that its judge ends, each with its seconds and what it printed, shortened. The link of the preview, the live page
and the page after the canary were opened in a browser.

The canary is built from the same sources with one more line in its page: \`${mistake}\`.
The page throws for who is not logged in, which types, its own test and the smoke test do not see. ${visitors} visitors,
${VISITORS_AT_ONCE} at a time, opened the page while the judge looked every three seconds (\`--auto ${SHORT_DAY}\`).

\`\`\`console
${commands}
\`\`\`
`

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
  const here = {
    '../mf-winners': folder,
    'https://staging.example': `${stack.url} --port 0`,
    // Visitors come faster than a day's.
    '5,25,50,100 --every 10m': SHORT_DAY,
  }
  const { run, resolve, add, text } = recordCommands(env, here)
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

    const began = Date.now()
    const ready = /from here: (http:\/\/\S+)/
    const server = await startProcess(['sh', '-c', `exec ${resolve(dev)}`], { cwd: folder, env, ready })
    await page.goto(`${server.ready[0]}/winners`)
    await expect(title).toBeVisible()
    add(dev, server.output(), Date.now() - began)
    // An open page would report that its dev server is gone.
    await page.goto('about:blank')
    await server.stop()

    const [link = ''] = /^\/preview\/\S+/m.exec(await succeed(preview)) ?? []
    await page.goto(new URL(link, stack.url).href)
    await expect(title).toBeVisible()
    await succeed(publish)
    await page.goto(`${stack.url}/winners`)
    await expect(title).toBeVisible()

    // A mistake that a team's own test and the smoke test miss: both are logged in.
    await editSource(
      folder,
      'src/WinnersPage.tsx',
      'import styles',
      "import { useEffect } from 'react'\nimport styles",
    )
    const line = '  useEffect(() => void host.session.current()!.username)'
    await editSource(folder, 'src/WinnersPage.tsx', '  return (', `${line}\n  return (`)
    let hasEnded = false
    const judged = run(canary, folder).finally(() => {
      hasEnded = true
    })
    await expect
      // It is built first.
      .poll(async () => (await deploy(stack.siteDir, 'status')).output, { timeout: 60_000 })
      .toMatch(/canary goes on to 100 %/)
    const visitors = await visit(browser, `${stack.url}/winners`, () => hasEnded)
    const { code, output } = await judged
    expect(code, output).toBe(1)
    expect(output).toMatch(
      /mf-winners canary \S+ ended: errors in 100\.0 % of \d+ views, current 0\.0 % of \d+/,
    )
    const [last] = JSON.parse((await deploy(stack.siteDir, 'history', '--json')).output)
    expect(last.change).toMatchObject({ verb: 'judge', judgement: { errors: { current: { bad: 0 } } } })
    expect(last.remotes['mf-winners'].canary).toBeUndefined()
    await page.goto(`${stack.url}/winners`)
    await expect(title).toBeVisible()
    await succeed('npx deploy errors mf-winners')
    if (process.env.RECORD) await writeFile(RECORD, recordOf(text(), line.trim(), visitors))
  } finally {
    await deploy(stack.siteDir, 'config', 'reportSample=0')
    await deploy(stack.siteDir, 'disable', 'mf-winners')
    await deploy(stack.siteDir, 'remove', 'mf-winners')
    await rm(empty, { recursive: true, force: true })
  }
})
