import type { AppPath } from './host.ts'

/** The specification's routes (section 2). A new remote adds its own; links are typed from here. */
export const paths = {
  landing: '/',
  megalive: '/megalive',
  login: '/login',
  check: '/check',
  home: '/home',
  histories: '/histories',
} as const satisfies Record<string, AppPath>
