import sharp from 'sharp'
import type { FaultyProxy } from '../src/faulty-proxy.ts'
import type { Guest } from '../src/guests.ts'
import { type Driver, isStill, locate, readText, until } from './driver.ts'

/** What a step has at hand. */
export interface Visit {
  readonly driver: Driver
  /** The stack, by a proxy that misbehaves where a step says so. */
  readonly site: FaultyProxy
  /** Claims a ticket. */
  readonly guest: Guest
  /** Gives an address. */
  readonly newcomer: Guest
  /** Keeps a picture by this name. */
  picture(name: string): Promise<void>
}

export interface Step {
  readonly name: string
  /** Also in `npm test`, which has no time for all. */
  readonly short?: true
  /** Console errors that the step causes on purpose. */
  readonly errors?: RegExp
  run(visit: Visit): Promise<void>
}

/** Presses a control once it keeps its place. */
export async function press({ driver }: Visit, name: string, within = ''): Promise<void> {
  let before = ''
  const { x, y } = await until(`a control named ${name}`, async () => {
    const found = (await driver.evaluate(isStill)) && (await driver.evaluate(locate, name, within))
    const isSame = JSON.stringify(found) === before
    before = JSON.stringify(found)
    return isSame && found
  })
  await driver.click(x, y)
}

export async function fill(visit: Visit, label: string, text: string): Promise<void> {
  await press(visit, label)
  await visit.driver.type(text)
}

export const see = ({ driver }: Visit, text: string | RegExp) =>
  until(`the text ${text}`, async () => (await driver.evaluate(readText)).match(text))

export const at = ({ driver }: Visit, path: string) =>
  until(`the path ${path}`, () => driver.evaluate((wanted) => location.pathname === wanted, path))

export const dialogsAre = ({ driver }: Visit, count: number) =>
  until(`${count} dialogs`, () =>
    driver.evaluate((wanted) => document.querySelectorAll('dialog[open]').length === wanted, count),
  )

/** Waits until what is in the document is on the screen. */
export async function drawn(driver: Driver): Promise<void> {
  await until('the typeface', () => driver.evaluate(isStill))
  await driver.evaluate(() => {
    delete document.body.dataset.drawn
    requestAnimationFrame(() => requestAnimationFrame(() => (document.body.dataset.drawn = 'yes')))
  })
  await until('two frames', () => driver.evaluate(() => document.body.dataset.drawn === 'yes'))
}

/** Colour of the screen's last pixel, where the embed's frame ends. */
export async function lastPixel(visit: Visit): Promise<number[]> {
  await drawn(visit.driver)
  const pixels = await sharp(await visit.driver.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer()
  return [...pixels.subarray(-3)]
}
