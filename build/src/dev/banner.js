/*
 * Says on every page which remote is overridden, whether its dev server answers, and how to get the deployed one back.
 * Runs before all other scripts, as it is; styles by the CSSOM, because the page's policy allows no style attribute.
 */
;(() => {
  const { remote = '', site, local } = document.currentScript?.dataset ?? {}
  const isLocal = local === 'true'

  const start = () => {
    const bar = document.createElement('aside')
    bar.id = 'dev-override'
    bar.setAttribute('role', 'status')
    bar.setAttribute('aria-label', 'Local override')
    Object.assign(bar.style, {
      position: 'fixed',
      insetInline: '0',
      bottom: '0',
      zIndex: '2147483647',
      display: 'flex',
      flexWrap: 'wrap',
      gap: '4px 16px',
      alignItems: 'center',
      padding: '8px 16px',
      font: '14px/1.5 system-ui, sans-serif',
    })
    const text = document.createElement('span')
    text.style.flex = '1'
    const button = document.createElement('a')
    button.href = `/__dev/use?version=${isLocal ? 'deployed' : 'local'}`
    Object.assign(button.style, { color: 'inherit', fontWeight: '700', padding: '4px 0' })
    bar.append(text, button)
    document.body.append(bar)

    /** @type {(message: string, link: string, colors: object) => void} */
    const show = (message, link, colors) => {
      text.textContent = message
      button.textContent = link
      Object.assign(bar.style, colors)
    }
    const calm = { color: '#fff', background: '#14532d' }
    const off = { color: '#fff', background: '#374151' }
    const alarm = { color: '#fff', background: '#991b1b' }
    if (!isLocal) {
      show(`${site}: ${remote} as deployed.`, 'Use the local one', off)
      return
    }
    const running = () =>
      show(`${site}: ${remote} comes from your dev server.`, 'Reset to the deployed one', calm)
    /** @param {string} why */
    const failed = (why) => show(`Local ${remote} failed: ${why}`, 'Use the deployed one', alarm)
    let broken = false
    running()
    // The shell reports a remote's failure to the console, under its name; the banner shows it where the developer looks.
    const { error } = console
    console.error = (...words) => {
      error.apply(console, words)
      if (!String(words[0]).startsWith(`[${remote} dev]`)) return
      broken = true
      failed(String(words[0]).slice(remote.length + 7))
    }
    const look = async () => {
      try {
        const { ok, status } = await fetch(`/${remote}/dev/entry.js`, { cache: 'no-store' })
        if (!ok) failed(`its dev server answers ${status}`)
        else if (!broken) running()
      } catch {
        failed('its dev server does not answer')
      }
    }
    void look()
    setInterval(look, 3000)
  }
  document.addEventListener('DOMContentLoaded', start)
})()
