import { escapeHtml } from '@anniversary/shared/html-template'

export interface Asset {
  readonly url: string
  readonly integrity?: string | undefined
}

/** The pages' Integrity-Policy refuses all that is not fetched in CORS mode. */
const published = ({ integrity }: Asset): Record<string, string> => ({
  ...(integrity && { integrity }),
  crossorigin: 'anonymous',
})

export const stylesheetLink = (asset: Asset): string =>
  startTag('link', { rel: 'stylesheet', href: asset.url, ...published(asset) })

export const scriptElement = (asset: Asset, mode: Record<string, string>): string =>
  `${startTag('script', { ...mode, src: asset.url, ...published(asset) })}</script>`

export const preloadLink = (as: 'script' | 'style', asset: Asset): string =>
  startTag('link', {
    rel: 'preload',
    as,
    href: asset.url,
    ...published(asset),
    fetchpriority: 'low',
  })

export const metaTag = (name: string, content: string): string =>
  startTag('meta', { name, content })
export const openGraphTag = (property: string, content: string): string =>
  startTag('meta', { property: `og:${property}`, content })

export const startTag = (name: string, attributes: Record<string, string>): string =>
  `<${name} ${Object.entries(attributes)
    .map(([key, value]) => (value === '' ? key : `${key}="${escapeHtml(value)}"`))
    .join(' ')}>`
