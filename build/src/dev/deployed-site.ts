import type { Composition, RemoteRoutes } from '@anniversary/shared/contract/composition'
import { dataBlock, IDS } from '@anniversary/shared/contract/page-names'
import { errorMessage } from '@anniversary/shared/error-message'
import type { DevServerMiddlewareHandler } from '@rspack/core'
import { routesIn, trustedTypesIn } from '../packages.ts'
import { developmentPolicy, developmentRelease } from './in-site.ts'

const CSP = 'content-security-policy'
const COMPOSITION = '/composition.json'

export const deployedSite =
  (site: URL, remote: string, folder: string): DevServerMiddlewareHandler =>
  async ({ method, url = '/', headers: { accept, cookie, authorization } }, response, next) => {
    // Pages read it again later, and switch remotes off that are off there.
    const isComposition = url === COMPOSITION
    if (method !== 'GET' || !(isComposition || accept?.includes('text/html'))) return next()
    const fail = (text: string) =>
      response
        .writeHead(502, { 'content-type': 'text/plain; charset=utf-8' })
        .end(`${site.origin} ${text}\n`)
    // A site that is not open yet may ask for a password.
    const credentials = { ...(cookie && { cookie }), ...(authorization && { authorization }) }
    const overridden = async () => {
      const answer = await fetch(new URL(COMPOSITION, site), { headers: credentials })
      const composition = (await answer.json()) as Composition // `deploy` wrote it
      return overrideRemote(composition, remote, routesIn(folder))
    }
    try {
      if (isComposition) {
        const composition = JSON.stringify(await overridden())
        response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
        response.end(composition)
        return
      }

      const headers = { accept: 'text/html', ...credentials }
      const page = await fetch(new URL(url, site), { headers, redirect: 'manual' })
      const { origin } = new URL(page.headers.get('location') ?? '', page.url)
      if (origin !== site.origin) {
        fail(`redirects to ${origin}: if that is the site, name it by --site`)
        return
      }
      const html = await page.text()
      if (!isSitePage(html)) return next()
      const composition = await overridden()
      response.writeHead(page.status, {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        [CSP]: developmentPolicy(page.headers.get(CSP) ?? '', trustedTypesIn(folder)),
      })
      response.end(overridePage(html, composition, remote))
    } catch (error) {
      const reason = (error instanceof Error && error.cause) || error
      fail(`does not answer: ${errorMessage(reason)}`)
    }
  }

const blockOf = (id: string) =>
  new RegExp(`<script type="application/json" id="${id}">(.*?)</script>`, 's')

const changeBlock = (
  html: string,
  id: string,
  change: (value: Record<string, unknown>) => unknown,
) => html.replace(blockOf(id), (_all, json: string) => dataBlock(id, change(JSON.parse(json))))

export const isSitePage = (html: string): boolean => blockOf(IDS.compositionData).test(html)

/** The remote may be new to the site. */
export function overrideRemote(
  composition: Composition,
  remote: string,
  routes: RemoteRoutes,
): Composition {
  // The deployed version would hide that the local one is broken.
  const overridden = { status: 'on', current: developmentRelease(remote, routes) } as const
  return { ...composition, remotes: { ...composition.remotes, [remote]: overridden } }
}

export function overridePage(html: string, composition: Composition, remote: string): string {
  const withRemote = changeBlock(html, IDS.compositionData, () => composition)
  // Failures of a developer are not the operator's.
  const withoutReports = changeBlock(
    withRemote,
    IDS.configData,
    ({ reportUrl, ...config }) => config,
  )
  const preloads = new RegExp(`<link rel="preload"[^>]*href="[^"]*/${remote}/[^"]*"[^>]*>\n?`, 'g')
  return withoutReports.replace(preloads, '')
}
