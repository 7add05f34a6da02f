import { ATTRIBUTES } from '@anniversary/shared/contract/page-names'

export const basePath = (): string =>
  globalThis.document?.documentElement.getAttribute(ATTRIBUTES.basePath) ?? ''

export const plainPath = (path: string): string => path.replace(/\/+$/, '') || '/'

export const routePath = (): string => plainPath(location.pathname.slice(basePath().length))
