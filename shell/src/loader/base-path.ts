import { BASE_ATTRIBUTE } from '@anniversary/shared/contract/element-ids'

/** The path in front of this page's route: of a preview its folder, else empty. */
export const basePath = (): string => document.documentElement.getAttribute(BASE_ATTRIBUTE) ?? ''

/** Path of this page's route. */
export const routePath = (): string => location.pathname.slice(basePath().length) || '/'
