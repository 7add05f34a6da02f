import { expect } from '@playwright/test'
import type { FaultyProxy } from '../src/faulty-proxy.ts'
import type { Guest } from '../src/members.ts'

/** The few things that the walk asks of a browser, so that three very different ones can do them. */
export interface Driver {
  /** Resolves when the new page has begun; its files may still be on their way. */
  goto(url: string): Promise<void>
  /** Runs a function in the page. It sees nothing but its arguments, which must be JSON, as its result. */
  evaluate<Args extends unknown[], Result>(run: (...args: Args) => Result, ...args: Args): Promise<Result>
  /** Presses what a function finds in the page. Throws where there is nothing, it moves, or something covers it. */
  click<Args extends unknown[]>(find: (...args: Args) => Element | null, ...args: Args): Promise<void>
  /** Real keys, into whatever has the focus. */
  type(text: string): Promise<void>
  /** One key by its name, or two at once: `Control+v`. */
  press(keys: string): Promise<void>
  screenshot(): Promise<Buffer>
  stop(): Promise<void>
}

export interface Visit {
  readonly driver: Driver
  /** The stack, by a proxy that misbehaves where a step says so. */
  readonly site: FaultyProxy
  readonly guest: Guest
  /** Console errors, exceptions and policy violations of the site's pages since the last call. */
  takeProblems(): string[]
}

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

/**
 * In the page: the first control with this accessible name; inside the newest open dialog, and inside a list item with
 * the text `within`, where there is one.
 */
function locate(name: string, within: string): Element | null {
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
      element.matches('a[href], button, input, textarea') &&
      [name, `${name} *`].includes(nameOf(element)) &&
      element.getBoundingClientRect().width > 0,
  )
  return found ?? null
}

export const press = ({ driver }: Visit, name: string, within = '') =>
  until(`a control named ${name}`, () => driver.click(locate, name, within).then(() => true))

export async function fill(visit: Visit, label: string, text: string): Promise<void> {
  await press(visit, label)
  await visit.driver.type(text)
}

export const see = ({ driver }: Visit, text: string | RegExp) =>
  // biome-ignore lint/performance/useDomNodeTextContent: hidden text does not count
  until(`the text ${text}`, async () => (await driver.evaluate(() => document.body.innerText)).match(text))

export const at = ({ driver }: Visit, path: string) =>
  until(`the path ${path}`, () => driver.evaluate((wanted) => location.pathname === wanted, path))

export const dialogsAre = ({ driver }: Visit, count: number) =>
  until(`${count} dialogs`, () =>
    driver.evaluate((wanted) => document.querySelectorAll('dialog[open]').length === wanted, count),
  )
