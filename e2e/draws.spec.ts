import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { violations } from './src/axe.ts'
import { enter, GUESTS, type Guest, openAs } from './src/members.ts'
import {
  CONTROL_TOKEN,
  copyTemplate,
  operatorCommand,
  type Stack,
  spawnStack,
} from './src/stack.ts'
import { expect, test } from './src/test.ts'
import { overflow } from './visual/layout.ts'

/*
 * The first draw of an event, on one database whose clock is moved: freeze,
 * evening, results. Then a support desk asks about what has happened.
 */

test.describe.configure({ mode: 'serial' })
const NIGHTLY = { tag: '@nightly' }

const [winner, cheat, loser] = GUESTS as [Guest, Guest, Guest] // there are thirty

let place = ''
let stack: Stack
const dataDir = () => join(place, 'data')

/** Runs the product at a time of the event. */
async function moveTo(time: string, page: Page): Promise<void> {
  // An open page would complain about the stopped server.
  await page.goto('about:blank')
  await stack?.stop()
  stack = await spawnStack(dataDir(), join(place, 'site'), { EVENT_NOW: `2025-${time}+07:00` })
}
const event = (...command: string[]) => operatorCommand(dataDir(), ...command)

/** Resolves with the code. */
async function claim(token: string, mission: string): Promise<string> {
  const answer = await fetch(`${stack.url}/api/client/take-code?event_code_detail=${mission}`, {
    method: 'POST',
    headers: { 'x-sign-key': token, 'content-type': 'application/json' },
    body: JSON.stringify({ event_code_detail: mission }),
  })
  const { data } = (await answer.json()) as { data: string[] } // contract/wire.ts
  return data[0] ?? ''
}

/** Codes by member and mission. */
const codes: Record<string, string> = {}
let digest = ''

function freeze(): string {
  const frozen = event('draw', 'freeze', '1')
  return /[0-9a-f]{64}/.exec(frozen)?.[0] ?? ''
}

function importResults(...lines: string[]): string {
  const file = join(place, 'draw.csv')
  writeFileSync(file, ['draw,code,prize,giftcode', ...lines, ''].join('\n'))
  return event('import', 'draw', file, '--list', digest.slice(0, 12))
}

/** Returns why the only line of an import is refused. */
function refusalOf(line: string): string {
  expect(() => importResults(line)).toThrow()
  return readFileSync(join(place, 'draw.csv.refused.csv'), 'utf8')
}

test.beforeAll(async () => {
  place = await copyTemplate()
})
test.afterAll(async () => {
  await stack?.stop()
  rmSync(place, { recursive: true, force: true })
})

test('members claim, and nobody can freeze a stage that is open', NIGHTLY, async ({ page }) => {
  await moveTo('08-20T20:00:00', page)
  for (const member of [winner, cheat, loser]) {
    const token = await enter(page.context(), stack.url, member)
    for (const mission of ['NAP_300', 'CUOC_5000'])
      codes[`${member.account} ${mission}`] = await claim(token, mission)
  }
  expect(freeze).toThrow(/tickets of stage 1 can still be claimed/)
  event('void', codes[`${loser.account} CUOC_5000`] ?? '', '--reason', 'two accounts')
})

test(
  'a draw runs from its freeze to its results, and each screen shows it',
  NIGHTLY,
  async ({ page }) => {
    await moveTo('09-07T00:02:00', page)
    digest = freeze()
    const summary = page.getByText(
      `Danh sách lần 1: 11 vé · mã kiểm tra ${digest.slice(0, 4)} ${digest.slice(4, 8)} …`,
    )
    await page.goto(stack.url)
    await expect(summary).toBeVisible()

    await moveTo('09-09T20:10:00', page)
    await openAs(page, winner, stack.url)
    await expect(summary).toBeVisible()
    const list = await (await fetch(`${stack.url}/api/client/draws/1/list`)).text()
    expect(createHash('sha256').update(list).digest('hex')).toBe(digest)
    const position =
      list
        .split('\n')
        .slice(5)
        .indexOf(codes[`${winner.account} NAP_300`] ?? '') + 1
    await page.goto(`${stack.url}/histories`)
    await expect(page.getByText(`số ${position} trong danh sách lần 1`).first()).toBeVisible()

    const outside = codes[`${loser.account} CUOC_5000`]
    expect(refusalOf(`1,${outside},Xe máy,`)).toMatch(/not in the list .* left it out: void/)
    const won = codes[`${winner.account} NAP_300`]
    importResults(`1,${won},Xe máy,`, `1,${codes[`${winner.account} CUOC_5000`]},Code 999k,GIFT-1`)
    await page.goto(`${stack.url}/check`)
    await page.getByRole('radio', { name: 'Mã dự thưởng' }).check()
    await page.getByRole('textbox').fill(won ?? '')
    await page.getByRole('button', { name: 'Kiểm tra ngay' }).click()
    await expect(page.getByText(`Số ${position}`, { exact: true })).toBeVisible()
    await page.context().clearCookies()
    await page.goto(stack.url)
    await expect(page.getByText(won?.slice(-4) ?? '').first()).toBeVisible()
  },
)

test.describe('the support desk', NIGHTLY, () => {
  test.use({ httpCredentials: { username: 'hoa', password: CONTROL_TOKEN } })

  test('is accessible by keyboard and 320 pixels wide', async ({ page }) => {
    event('ban', cheat.account, '--reason', 'the same person as another account')
    event('deliver', codes[`${winner.account} NAP_300`] ?? '', '--reason', 'handed over')
    expect(event('verify')).not.toMatch('BROKEN')
    await page.setViewportSize({ width: 320, height: 640 })
    for (const [asked, answer] of [
      ['nobody', /Không tìm thấy/],
      [winner.account, /trúng Xe máy lần 1, đã trao giải/],
      [codes[`${cheat.account} NAP_300`] ?? '', /ĐÃ BỊ KHÓA/],
    ] as const) {
      await page.goto(stack.deskUrl)
      await page.keyboard.press('Tab')
      await page.keyboard.type(asked)
      await page.keyboard.press('Enter')
      await expect(page.getByRole('status')).toHaveText(answer)
      expect(await violations(page), asked).toEqual([])
      expect(await overflow(page), asked).toBe(0)
    }
  })
})
