import { ATTRIBUTES } from '@anniversary/shared/contract/page-names'

/** The path in front of this page's route: of a preview its folder, else empty, also where the build renders. */
export const basePath = (): string => globalThis.document?.documentElement.getAttribute(ATTRIBUTES.base) ?? ''

export const plainPath = (path: string): string => path.replace(/\/+$/, '') || '/'

export const routePath = (): string => plainPath(location.pathname.slice(basePath().length))
