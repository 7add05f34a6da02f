/// <reference lib="dom" />
/*
 * In each page of a preview, between its banner and its root. Where the time is over, the document ends here: nothing
 * of the page is parsed or run.
 */
{
  const banner = document.getElementById('preview')
  const text = banner?.querySelector('span')
  const wayOut = banner?.querySelector('a')
  const left = Date.parse(banner?.dataset.until ?? '') - Date.now()
  if (left > 0) setTimeout(() => location.reload(), left)
  else {
    if (text) text.textContent = banner?.dataset.expired ?? ''
    window.stop()
  }
  const { base = '' } = document.documentElement.dataset
  for (const press of ['click', 'auxclick'])
    wayOut?.addEventListener(press, () => {
      wayOut.pathname = location.pathname.slice(base.length)
    })
}
