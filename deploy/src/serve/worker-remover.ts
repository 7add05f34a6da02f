/**
 * The answer to every request for a service worker. A site that was on this host before may have left one, which answers
 * for our pages without asking the network. Browsers look for a newer one and find this: it removes itself and loads the
 * open pages again. The pages' own policy still forbids workers, so no page can start it.
 * It holds no apostrophe and no `$`, since nginx's configuration quotes it.
 */
export const WORKER_REMOVER = `oninstall = () => skipWaiting()
onactivate = (event) => event.waitUntil(
  registration.unregister()
    .then(() => clients.matchAll({ type: "window" }))
    .then((pages) => Promise.all(pages.map((page) => page.navigate(page.url))))
)`
