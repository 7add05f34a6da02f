import { ATTRIBUTES, COOKIES, IDS } from '@anniversary/shared/contract/page-names'
import { PRERENDERED } from '@anniversary/shared/contract/prerendered'
import { HOST_SCRIPT_WAITS, REQUEST_LIMIT } from '../loader/retry.ts'

/*
 * Inline in each page: keeps clicks from before the code runs, and requests the
 * host's scripts again.
 */

// Before the first paint, for what a page says to a known member.
try {
  if (document.cookie.includes(`${COOKIES.token}=`))
    document.documentElement.setAttribute(ATTRIBUTES.knownMember, '')
} catch {}

// A remote's page that is still plain HTML. Its fields keep typed text, and the
// host clicks the last clicked button when the page's code runs
// (replace-html.ts).
const WAITING = `[${PRERENDERED}*="/"]`

function keepPress(event: Event): void {
  if (!(event.target instanceof Element) || !event.target.closest(WAITING)) return
  const button = event.target.closest('button')
  if (!button && event.type === 'click') return
  event.preventDefault()
  event.stopImmediatePropagation()
  for (const before of document.querySelectorAll(`[${ATTRIBUTES.pressedButton}]`))
    before.removeAttribute(ATTRIBUTES.pressedButton)
  button?.setAttribute(ATTRIBUTES.pressedButton, '')
}

document.addEventListener('click', keepPress, true)
document.addEventListener('submit', keepPress, true)
document.addEventListener('input', ({ target }) => {
  if (
    !(target instanceof HTMLInputElement) ||
    !target.closest(`${WAITING} [${ATTRIBUTES.characterBoxes}]`)
  )
    return
  const next = target.nextElementSibling
  if (target.value.length === 1 && next instanceof HTMLInputElement) next.focus()
})

const missing = new Map<string, number>()

const turn = (tries: number) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      removeEventListener('online', end)
      resolve()
    }
    const timer = setTimeout(end, HOST_SCRIPT_WAITS[tries] ?? HOST_SCRIPT_WAITS[3])
    addEventListener('online', end)
  })

const showFailure = (failed: boolean) =>
  document.getElementById(IDS.failedMessage)?.toggleAttribute('hidden', !failed)

/**
 * Requests a script of the host until it loads, past the cache, where browsers
 * keep a broken file for a year. Then a second element runs it: a copy from the
 * page's template, because the policy lets no code set a script's URL before
 * the core script.
 */
async function requestAgain({ src, integrity }: HTMLScriptElement): Promise<void> {
  for (;;) {
    const tries = missing.get(src) ?? 0
    missing.set(src, tries + 1)
    if (tries > 0) showFailure(true)
    await turn(tries)
    const limit = new AbortController()
    setTimeout(() => limit.abort(), REQUEST_LIMIT)
    try {
      const { ok } = await fetch(src, { cache: 'reload', integrity, signal: limit.signal })
      if (ok) break
    } catch {}
  }
  const { content } = document.getElementById(IDS.hostScripts) as HTMLTemplateElement // `deploy` writes it
  const found = [...content.children].find((copy) => src.endsWith(copy.getAttribute('src') ?? ' '))
  if (found) document.head.append(found.cloneNode())
}

/** The loader watches the scripts that it adds; they have no `defer`. */
const isOfHost = (target: EventTarget | null): target is HTMLScriptElement =>
  target instanceof HTMLScriptElement && target.defer

// Neither event bubbles, and no element's `load` reaches the window.
document.addEventListener(
  'error',
  ({ target }) => {
    if (isOfHost(target)) void requestAgain(target)
  },
  true,
)
document.addEventListener(
  'load',
  ({ target }) => {
    if (isOfHost(target) && missing.delete(target.src)) showFailure(missing.size > 0)
  },
  true,
)
