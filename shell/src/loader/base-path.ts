import { BASE_ATTRIBUTE } from '@anniversary/shared/contract/element-ids'

/** The path in front of this page's route: of a preview its folder, else empty, also where the build renders. */
export const basePath = (): string => globalThis.document?.documentElement.getAttribute(BASE_ATTRIBUTE) ?? ''

export const plainPath = (path: string): string => path.replace(/\/+$/, '') || '/'

export const routePath = (): string => plainPath(location.pathname.slice(basePath().length))
