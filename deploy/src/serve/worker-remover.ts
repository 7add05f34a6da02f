/**
 * An earlier site on this host may have left a service worker that answers for
 * our pages. This one removes itself and reloads them; the pages' policy lets
 * none start. It has no apostrophe and no `$`, since nginx's configuration
 * quotes it.
 */
export const WORKER_REMOVER = `oninstall = () => skipWaiting()
onactivate = (event) => event.waitUntil(
  registration.unregister()
    .then(() => clients.matchAll({ type: "window" }))
    .then((pages) => Promise.all(pages.map((page) => page.navigate(page.url))))
)`
