import { expect } from '@playwright/test'
import type { FaultyProxy } from '../src/faulty-proxy.ts'
import type { Guest } from '../src/members.ts'

/**
 * The commands that the journey needs of a browser, few enough for three
 * different drivers.
 */
export interface Driver {
  /**
   * Resolves when the new document has begun; its files may still be loading.
   */
  goto(url: string): Promise<void>
  /**
   * Runs a function in the page. It can use its arguments only; they and the
   * result must be JSON.
   */
  evaluate<Args extends unknown[], Result>(
    run: (...args: Args) => Result,
    ...args: Args
  ): Promise<Result>
  /** Clicks at a place, in CSS pixels of the window. */
  click(x: number, y: number): Promise<void>
  /** Types into the focused element. */
  type(text: string): Promise<void>
  /** Presses one key by its name, or two at once: `Control+v`. */
  press(keys: string): Promise<void>
  screenshot(): Promise<Buffer>
  stop(): Promise<void>
}

interface Open {
  readonly driver: Driver
}

export interface Visit extends Open {
  /** The stack or the examples, behind a proxy to which steps add faults. */
  readonly site: FaultyProxy
  readonly guest: Guest
  /**
   * Console errors, exceptions and policy violations of the site's pages since
   * the last call.
   */
  takeProblems(): string[]
}

export async function until<Result>(
  what: string,
  attempt: () => Promise<Result | null | false>,
  timeout = 60_000,
): Promise<Result> {
  let result: Result | null | false = null
  // An attempt may throw while the page is being replaced.
  await expect(async () => {
    result = await attempt()
    expect(result, what).toBeTruthy()
  }).toPass({ timeout, intervals: [100] })
  return result as Result // it passed
}

/**
 * In the page: whether the typeface has loaded, which shifts the text. It loads
 * after the code, so a step that holds the code back (`data-held`) does not
 * wait for it, nor one whose first page has failed.
 */
function isStill(): boolean {
  if (document.querySelector('[data-held] [data-prerendered], main [role=alert]')) return true
  const faces = [...document.fonts].filter(({ family }) => !family.includes('Fallback'))
  return document.fonts.status === 'loaded' && faces.some(({ status }) => status === 'loaded')
}

/**
 * In the page: the centre of the first control with this accessible name,
 * scrolled into view; inside the newest open dialog, and inside a list item
 * with the text `within`, where there is one. Null where something covers it.
 */
function locate(name: string, within: string): { x: number; y: number } | null {
  const all = (root: ParentNode): Element[] =>
    [...root.querySelectorAll('*')].flatMap((one) => [
      one,
      ...(one.shadowRoot ? all(one.shadowRoot) : []),
    ])
  const nameOf = (element: Element) => {
    const labels = [...((element as HTMLInputElement).labels ?? [])].map(
      (label) => label.textContent,
    )
    const pictures = [...element.querySelectorAll('img')].map(({ alt }) => alt)
    const text = labels.length > 0 ? labels : [element.textContent, ...pictures]
    return (element.getAttribute('aria-label') ?? text.join(' ')).replace(/\s+/g, ' ').trim()
  }
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document
  const item =
    within && [...document.querySelectorAll('li')].find((li) => li.textContent?.includes(within))
  const found = all(item || dialog).find(
    (element) =>
      element.matches('a[href], button, input, textarea') &&
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

/** Clicks a control once it no longer moves. */
export async function press({ driver }: Open, name: string, within = ''): Promise<void> {
  let before = ''
  const { x, y } = await until(`a control named ${name}`, async () => {
    const found = (await driver.evaluate(isStill)) && (await driver.evaluate(locate, name, within))
    const isSame = JSON.stringify(found) === before
    before = JSON.stringify(found)
    return isSame && found
  })
  await driver.click(x, y)
}

export async function fill(visit: Open, label: string, text: string): Promise<void> {
  await press(visit, label)
  await visit.driver.type(text)
}

export const see = ({ driver }: Open, text: string | RegExp) =>
  until(`the text ${text}`, async () => {
    // biome-ignore lint/performance/useDomNodeTextContent: hidden text does not count
    const shown = await driver.evaluate(() => document.body.innerText)
    // A failure tells what was shown instead.
    expect(shown).toMatch(text)
    return shown.match(text)
  })

/**
 * Keeps every text that this document shows from now on: a toast goes by
 * itself, before a slow machine asks for it.
 */
export const listen = ({ driver }: Open) =>
  driver.evaluate(() => {
    const said: string[] = []
    const keep = () => {
      // Firefox reads the text of its last layout.
      document.body.getBoundingClientRect()
      // biome-ignore lint/performance/useDomNodeTextContent: hidden text does not count
      said.push(document.body.innerText)
    }
    new MutationObserver(keep).observe(document.body, { childList: true, subtree: true })
    Object.assign(window, { said })
  })

/** Waits for a text that has shown since `listen`. */
export const hear = ({ driver }: Open, text: string) =>
  until(`the text ${text}, once`, () =>
    driver.evaluate((wanted) => {
      const { said } = window as never as { said: string[] } // `listen` set it
      return said.some((shown) => shown.includes(wanted))
    }, text),
  )

export const at = ({ driver }: Open, path: string) =>
  until(`the path ${path}`, () => driver.evaluate((wanted) => location.pathname === wanted, path))

export const dialogsAre = ({ driver }: Open, count: number) =>
  until(`${count} dialogs`, () =>
    driver.evaluate((wanted) => document.querySelectorAll('dialog[open]').length === wanted, count),
  )
