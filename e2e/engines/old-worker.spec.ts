import { ENGINES } from '../src/browser.ts'
import { type Answer, startFaultyProxy } from '../src/faulty-proxy.ts'
import { expect, test } from '../src/test.ts'
import { inEngine, SIZES } from './browsers.ts'
import { until } from './driver.ts'

/**
 * A site that was on the host before: its worker answers for pages without
 * asking the network.
 */
const OLD_PAGE =
  '<title>old</title><script>navigator.serviceWorker.register("/sw.js").then(() => navigator.serviceWorker.ready)</script>'
const OLD_WORKER = `
oninstall = (event) => event.waitUntil(caches.open('old').then((cache) => cache.add('/login')))
onactivate = (event) => event.waitUntil(clients.claim())
onfetch = (event) => {
  if (event.request.mode === 'navigate') event.respondWith(caches.match('/login'))
}`
const answerOf = (type: string, body: string): Answer => ({
  status: 200,
  headers: { 'content-type': type },
  body: Buffer.from(body),
})

const title = () => document.title
const isControlled = () => navigator.serviceWorker.controller !== null
const registrations = () => navigator.serviceWorker.getRegistrations().then((all) => all.length)

for (const engine of ENGINES)
  test(
    `${engine}: the service worker of an earlier site removes itself`,
    { tag: '@nightly' },
    ({ stack }) =>
      inEngine(engine, SIZES.phone, async (driver) => {
        let isOld = true
        const site = await startFaultyProxy(stack.url, (answer, path) => {
          if (!isOld) return answer
          return path === '/sw.js'
            ? answerOf('text/javascript', OLD_WORKER)
            : answerOf('text/html', OLD_PAGE)
        })
        try {
          await driver.goto(`${site.url}/login`)
          await until('the old worker', () => driver.evaluate(isControlled))
          // It answers although the host has no page.
          site.break('GET /login', (_request, response) => response.writeHead(404).end())
          await driver.goto(`${site.url}/login`)
          expect(await driver.evaluate(title)).toBe('old')

          site.restore()
          isOld = false
          await driver.goto(`${site.url}/login`)
          await until('the removal', async () => (await driver.evaluate(registrations)) === 0)
          await until('the page', async () => {
            // The worker reloads the page too, which may interrupt this visit.
            await driver.goto(`${site.url}/login`)
            return (await driver.evaluate(title)).includes('Đăng nhập')
          })
        } finally {
          await site.close()
        }
      }),
  )
