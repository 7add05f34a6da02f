import { pagePolicy } from '@anniversary/deploy/serve/headers'
import { type FirstHtml, renderPage } from '@anniversary/deploy/site/page'
import { wholeFile } from '@anniversary/deploy/site/whole-file'
import {
  buildSchema,
  type Composition,
  compositionSchema,
  type HostBuild,
} from '@anniversary/shared/contract/composition'
import { publicConfigSchema } from '@anniversary/shared/contract/config'
import {
  COMPOSITION_ELEMENT_ID,
  CONFIG_ELEMENT_ID,
  STYLES_ELEMENT_ID,
} from '@anniversary/shared/contract/element-ids'
import { siteRoutes } from '@anniversary/shared/contract/routes'
import type { Answer } from '../src/faulty-proxy.ts'

export const REPORT_PATH = '/api/reports'

/** How a test changes the composition of pages, and whether their CSP follows the change. */
export interface Change {
  readonly compose: (composition: Composition) => Composition
  readonly policy: 'fits' | 'as it was'
}

interface Deployed {
  readonly composition: Composition
  /** The shell. */
  readonly host: HostBuild
}

/** What a site runs. */
export async function deployedAt(siteUrl: string): Promise<Deployed> {
  const json = async (path: string): Promise<unknown> => (await fetch(siteUrl + path)).json()
  const composition = compositionSchema.parse(await json('/composition.json'))
  const host = buildSchema.parse(await json(`/shell/${composition.shell.version}/build.json`))
  if (host.kind !== 'host') throw new Error('The shell is no host')
  return { composition, host }
}

const between = (text: string, before: string, after: string): string =>
  text.split(before)[1]?.split(after)[0] ?? ''
const dataOf = (html: string, id: string): unknown => JSON.parse(between(html, `id="${id}">`, '</script>'))

function firstHtmlOf(page: string): FirstHtml {
  const [, renderedBy, html = ''] =
    /<div id="root"(?: data-prerendered="(.*?)")?>(.*?)<\/div>\n<script type="application\/json"/s.exec(
      page,
    ) ?? []
  return { html, ...(renderedBy !== undefined && { renderedBy }) }
}

/**
 * The page that `deploy` would write for the changed composition, with reports switched on.
 * @param wholes gets the file with the whole composition, by its URL
 */
export function composedPage(
  answer: Answer,
  path: string,
  { composition: before, host }: Deployed,
  { compose, policy }: Change,
  wholes: Map<string, Answer>,
): Answer {
  const html = answer.body.toString('utf8')
  if (!html.includes(`id="${COMPOSITION_ELEMENT_ID}"`)) return answer
  const config = publicConfigSchema.parse(dataOf(html, CONFIG_ELEMENT_ID))
  const composition = compose(structuredClone(before))
  const { bytes, url, integrity } = wholeFile(composition)
  const [name = '/'] = path.split('?')
  const headers = { 'content-type': 'application/json', 'content-length': String(bytes.length) }
  wholes.set(url, { status: 200, headers, body: bytes })
  const page = renderPage({
    composition,
    whole: { url, integrity },
    config: { ...config, reportUrl: REPORT_PATH },
    host,
    path: siteRoutes(host.routes, composition.remotes)[name] ? name : '/',
    first: firstHtmlOf(html),
    styles: dataOf(html, STYLES_ELEMENT_ID) as string[], // `deploy` wrote it
  })
  const body = Buffer.from(page)
  return {
    ...answer,
    headers: {
      ...answer.headers,
      'content-length': String(body.length),
      'content-security-policy': pagePolicy(policy === 'fits' ? composition : before, config),
    },
    body,
  }
}
