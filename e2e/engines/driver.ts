import { expect } from '@playwright/test'
import sharp from 'sharp'
import type { FaultyProxy } from '../src/faulty-proxy.ts'
import type { Guest } from '../src/members.ts'

/** The few things that the walk asks of a browser, so that three very different ones can do them. */
export interface Driver {
  /** Resolves when the new page has begun; its files may still be on their way. */
  goto(url: string): Promise<void>
  /** Runs a function in the page. It sees nothing but its arguments, which must be JSON, as its result. */
  evaluate<Args extends unknown[], Result>(run: (...args: Args) => Result, ...args: Args): Promise<Result>
  /** A real press, in CSS pixels of the window. */
  click(x: number, y: number): Promise<void>
  /** Real keys, into whatever has the focus. */
  type(text: string): Promise<void>
  /** One key by its name, or two at once: `Control+v`. */
  press(keys: string): Promise<void>
  screenshot(): Promise<Buffer>
  /** Opens a second tab of the same session and works there until `closeTab`. */
  openTab(url: string): Promise<void>
  closeTab(): Promise<void>
  /** Console errors, exceptions and policy violations since the last call. */
  takeProblems(): string[]
  stop(): Promise<void>
}

export interface Size {
  readonly width: number
  readonly height: number
}

/** Repeats until `attempt` gives a result. */
export async function until<Result>(
  what: string,
  attempt: () => Promise<Result | null | false>,
): Promise<Result> {
  let result: Result | null | false = null
  // An attempt may throw: a page that is just leaving refuses to answer.
  await expect(async () => {
    result = await attempt()
    expect(result, what).toBeTruthy()
  }).toPass({ timeout: 20_000, intervals: [100] })
  return result as Result // it passed
}

/** Source of a call of `run` in a page. tsx names inner functions by a helper, which pages do not have. */
export const callOf = (run: (...args: never[]) => unknown, args: readonly unknown[]): string =>
  `(() => { const __name = (named) => named; return (${run})(...${JSON.stringify(args)}) })()`

/** In the page: reports policy violations to `console.error`, which every driver reads. */
export function reportViolations(): void {
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
    console.error(`policy violation: ${violatedDirective} ${blockedURI} ${sample}`),
  )
}

/**
 * In the page: true when the typeface has loaded, which moves the text. It comes after the code, so a step that holds
 * the code (`data-held`) does not wait for it.
 */
function isStill(): boolean {
  if (document.querySelector('[data-held] [data-prerendered]')) return true
  const faces = [...document.fonts].filter(({ family }) => !family.includes('Fallback'))
  return document.fonts.status === 'loaded' && faces.some(({ status }) => status === 'loaded')
}

/**
 * In the page: the centre of the first control with this accessible name, scrolled into view; inside the newest open
 * dialog, and inside a list item with the text `within`, where there is one. Null where something covers it.
 */
function locate(name: string, within: string): { x: number; y: number } | null {
  const CONTROLS = 'a[href], button, input, textarea'
  const all = (root: ParentNode): Element[] =>
    [...root.querySelectorAll('*')].flatMap((one) => [one, ...(one.shadowRoot ? all(one.shadowRoot) : [])])
  const nameOf = (element: Element) => {
    const labels = [...((element as HTMLInputElement).labels ?? [])].map((label) => label.textContent)
    const pictures = [...element.querySelectorAll('img')].map(({ alt }) => alt)
    const text = labels.length > 0 ? labels : [element.textContent, ...pictures]
    return (element.getAttribute('aria-label') ?? text.join(' ')).replace(/\s+/g, ' ').trim()
  }
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document
  const item = within && [...document.querySelectorAll('li')].find((li) => li.textContent?.includes(within))
  const found = all(item || dialog).find(
    (element) =>
      element.matches(CONTROLS) &&
      [name, `${name} *`].includes(nameOf(element)) &&
      element.getBoundingClientRect().width > 0,
  )
  if (!found) return null
  found.scrollIntoView({ block: 'center', behavior: 'instant' })
  const { x, y, width, height } = found.getBoundingClientRect()
  const centre = { x: x + width / 2, y: y + height / 2 }
  const top = (found.getRootNode() as Document | ShadowRoot).elementFromPoint(centre.x, centre.y)
  return found.contains(top) ? centre : null
}

/** In the page: its visible text, the embed's included. */
const readText = (): string =>
  [
    document.body,
    ...[...document.querySelectorAll('mega-live')].map(({ shadowRoot }) => shadowRoot?.firstElementChild),
  ]
    // biome-ignore lint/performance/useDomNodeTextContent: hidden text does not count
    .map((part) => (part as HTMLElement | undefined)?.innerText ?? '')
    .join('\n')

export interface Visit {
  readonly driver: Driver
  /** The stack, by a proxy that misbehaves where a step says so. */
  readonly site: FaultyProxy
  /** Claims a ticket. */
  readonly guest: Guest
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

/** Colour of the screen's last pixel, where the embed's frame ends, once what is in the document is on the screen. */
export async function lastPixel({ driver }: Visit): Promise<number[]> {
  await until('the typeface', () => driver.evaluate(isStill))
  await driver.evaluate(() => {
    delete document.body.dataset.drawn
    requestAnimationFrame(() => requestAnimationFrame(() => (document.body.dataset.drawn = 'yes')))
  })
  await until('two frames', () => driver.evaluate(() => document.body.dataset.drawn === 'yes'))
  const pixels = await sharp(await driver.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer()
  return [...pixels.subarray(-3)]
}
