import { ATTRIBUTES } from '@anniversary/shared/contract/page-names'

/** The path in front of the page's route: a preview's folder, else empty. */
export const basePath = (): string =>
  globalThis.document?.documentElement.getAttribute(ATTRIBUTES.basePath) ?? ''

export const plainPath = (path: string): string => path.replace(/\/+$/, '') || '/'

export const routePath = (): string => plainPath(location.pathname.slice(basePath().length))
