/**
 * Answers requests for a service worker, because an earlier site on this host may have left one that answers for our
 * pages: it removes itself and reloads them. Pages cannot start it, since their policy forbids workers. It has no
 * apostrophe and no `$`, since nginx's configuration quotes it.
 */
export const WORKER_REMOVER = `oninstall = () => skipWaiting()
onactivate = (event) => event.waitUntil(
  registration.unregister()
    .then(() => clients.matchAll({ type: "window" }))
    .then((pages) => Promise.all(pages.map((page) => page.navigate(page.url))))
)`
