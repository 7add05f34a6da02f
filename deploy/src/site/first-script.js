/// <reference lib="dom" />
/*
 * Inline in each page, before all else. A page whose shell arrives broken never starts, and browsers keep a broken file
 * for a year. Fetched again past the cache, the file replaces what the cache holds.
 */
{
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

  // `error` does not bubble. What the loader adds it watches itself: its scripts have no `defer`, its styles use CORS.
  addEventListener(
    'error',
    ({ target: file }) => {
      if (file instanceof HTMLScriptElement && file.defer) {
        if (broken.push(file) === 1) parsed.then(startAgain).catch(showFailure)
      } else if (file instanceof HTMLLinkElement && file.rel === 'stylesheet' && !file.crossOrigin) {
        const again = Object.assign(file.cloneNode(), { crossOrigin: 'anonymous' })
        fetchAgain(file.href, file.integrity).then(
          () => file.replaceWith(again),
          () => undefined,
        )
      }
    },
    true,
  )
}
