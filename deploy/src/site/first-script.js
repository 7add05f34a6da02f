/// <reference lib="dom" />
/*
 * Inline in each page, before its files and its body: it keeps what is pressed before the code is there, mends files that
 * arrived broken, lets the page show, and applies the styles that the page carries.
 */
{
  // A remote's page that is only HTML yet: its fields keep what is typed, and the host presses the last pressed button
  // when the page's code is there (shell/src/loader/prerendered-page.ts).
  const WAITING = '[data-prerendered*="/"]'

  /**
   * Enter in a field presses its form's button, so forms need nothing of their own.
   * @param {Event} event
   */
  function keepPress(event) {
    if (!(event.target instanceof Element) || !event.target.closest(WAITING)) return
    const button = event.target.closest('button')
    if (!button && event.type === 'click') return
    event.preventDefault()
    event.stopImmediatePropagation()
    for (const before of document.querySelectorAll('[data-pressed]')) before.removeAttribute('data-pressed')
    button?.setAttribute('data-pressed', '')
  }

  document.addEventListener('click', keepPress, true)
  document.addEventListener('submit', keepPress, true)
  // In a row of boxes for one character each, a filled box hands the focus on.
  document.addEventListener('input', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.closest(`${WAITING} [data-boxes]`)) return
    const next = target.nextElementSibling
    if (target.value.length === 1 && next instanceof HTMLInputElement) next.focus()
  })
}
{
  // A page whose shell arrives broken never starts, and browsers keep a broken file for a year. Fetched again past the
  // cache, the file replaces what the cache holds.
  /** Milliseconds, as for a remote. */
  const DEADLINE = 10_000
  /** @type {HTMLScriptElement[]} */
  const broken = []
  const parsed = new Promise((done) => addEventListener('DOMContentLoaded', done))

  /** @param {string} url @param {string} integrity */
  const fetchAgain = (url, integrity) => fetch(url, { cache: 'reload', integrity })

  async function startAgain() {
    const urls = broken.map(({ src }) => src).join(' ')
    const late = new Promise((_, fail) => setTimeout(fail, DEADLINE))
    await Promise.race([late, Promise.all(broken.map((file) => fetchAgain(file.src, file.integrity)))])
    // Something else keeps them from running: no endless reloads.
    if (sessionStorage.getItem('fetched-again') === urls) throw new Error(`do not run: ${urls}`)
    sessionStorage.setItem('fetched-again', urls)
    location.reload()
  }

  function showFailure() {
    for (const dead of document.querySelectorAll('#root, .no-code')) dead.remove()
    document.getElementById('failed')?.removeAttribute('hidden')
  }

  // `error` does not bubble. What the loader adds it watches itself: its scripts have no `defer`.
  addEventListener(
    'error',
    ({ target: file }) => {
      if (!(file instanceof HTMLScriptElement && file.defer)) return
      if (broken.push(file) === 1) parsed.then(startAgain).catch(showFailure)
    },
    true,
  )
}
{
  // The first paint waits for the whole HTML (page.ts), but no longer than this: it may be cut off, or its preview be over.
  setTimeout(() => document.querySelector('link[rel=expect]')?.remove(), 1000)
}
{
  // The style sheets of files come after this one, as they would after the files that it replaces. An adopted style sheet
  // would be the last, and turn the order of the layers round. In a media rule a file's text is one rule.
  const { sheet } = document.querySelector('style') ?? {}
  for (const css of JSON.parse(document.getElementById('styles')?.textContent ?? '[]'))
    sheet?.insertRule(`@media all{${css}}`, sheet.cssRules.length)
}
