/*
 * Works the banner that a page of a deployed site gets: its button switches between the local and the deployed remote,
 * and its text says why the local one fails. The shell reports that to the console, under the remote's name. Runs before
 * all other scripts, as it is.
 */
{
  const { remote = '', other } = document.currentScript?.dataset ?? {}
  addEventListener('DOMContentLoaded', () => {
    document.querySelector('#dev-override button')?.addEventListener('click', () => {
      // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
      document.cookie = `dev-override=${other}; Path=/; SameSite=Strict`
      location.reload()
    })
  })
  const { error } = console
  console.error = (...words) => {
    error.apply(console, words)
    const [said = ''] = words.map(String)
    const banner = document.getElementById('dev-override')
    const text = banner?.querySelector('span')
    if (!banner || !text || !said.startsWith(`[${remote} dev]`)) return
    banner.style.background = '#991b1b'
    text.textContent = `Local ${remote} failed: ${said.slice(remote.length + 7)}`
  }
}
