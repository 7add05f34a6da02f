import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type DevServer, startDevServer } from '@anniversary/e2e/dev-server'
import { BROWSER_ARGS, requireBrowser } from '@anniversary/tools/test/browser'
import { chromium, type Page } from '@playwright/test'
import { helpOnly, runsFrom } from './command.ts'
import { median } from './statistics.ts'

const HELP = `npm run bench:dev [-- --runs N]

Starts npm run dev on a copy of the sources, edits each part, and says how long until the open page shows it or the API
answers by it. Prints medians and the worst.

  --runs N  edits of each (default 5)`

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '5' }, help: { type: 'boolean', short: 'h' } },
})
helpOnly(HELP, values.help)
const runs = runsFrom(values.runs)

type Seen = (there: boolean) => Promise<unknown>
type Case = readonly [about: string, file: string, from: string, to: string, seen: Seen]

function casesOn(page: Page, url: string): Case[] {
  const shows: Seen = (there) =>
    page
      .getByText('Edited')
      .first()
      .waitFor({ state: there ? 'visible' : 'detached' })
  const offset: Seen = (there) =>
    page.waitForFunction(
      (value) => getComputedStyle(document.querySelector('h1') ?? document.body).outlineOffset === value,
      there ? '7px' : '0px',
    )
  const answers: Seen = async (there) => {
    while ((await (await fetch(`${url}/api/nothing`)).text()).includes('Edited') !== there) await sleep(20)
  }
  const style = ['.title {', '.title { outline-offset: 7px;'] as const
  return [
    ['component of a remote', 'mf-auth/src/LoginPage.tsx', '{texts.title}', '{texts.title} Edited', shows],
    ['text of a remote', 'mf-auth/src/texts/login.ts', "title: '", "title: 'Edited ", shows],
    ['style of a remote', 'mf-auth/src/LoginPage.module.css', ...style, offset],
    ['component of the shell', 'shell/src/layout/Layout.tsx', '{texts.layout.skip}', 'Edited', shows],
    ['component of shared', 'shared/src/ui/TextField.tsx', '{label}', '{label} Edited', shows],
    ['API', 'api/src/texts.ts', "noSuchCall: '", "noSuchCall: 'Edited ", answers],
  ]
}

async function measure(dev: DevServer, [, file, from, to, seen]: Case): Promise<number> {
  const began = performance.now()
  const undo = await dev.edit(file, from, to)
  await seen(true)
  const milliseconds = performance.now() - began
  await undo()
  await seen(false)
  return milliseconds
}

const line = (about: string, times: readonly number[]) =>
  `${about.padEnd(24)} ${(median(times) / 1000).toFixed(2).padStart(6)} s  ${(Math.max(...times) / 1000).toFixed(2).padStart(6)} s`

const browser = await chromium.launch({
  executablePath: requireBrowser(console.log, { whole: true }),
  args: BROWSER_ARGS,
})
const dev = await startDevServer()
try {
  const page = await browser.newPage()
  await page.goto(`${dev.url}/login`)
  const account = page.getByRole('textbox').first()
  await account.fill('demo01')
  console.log(`${''.padEnd(24)}   median     worst`)
  console.log(line('first start, ready', [dev.readyAfter]))
  for (const each of casesOn(page, dev.url)) {
    const times: number[] = []
    for (let run = 0; run < runs; run++) times.push(await measure(dev, each))
    console.log(line(each[0], times))
  }
  console.log(`\nstate of the page ${(await account.inputValue()) === 'demo01' ? 'kept' : 'LOST'}`)
} finally {
  await dev.stop()
  await browser.close()
}
