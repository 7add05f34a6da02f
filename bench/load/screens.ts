import type { Account } from '@anniversary/e2e/member-test'

interface Screen {
  /** The page is there when this can be seen. */
  readonly until: string
  /** Whose session a protected page has. */
  readonly account?: Account
}

export const PATHS = ['/', '/megalive', '/login', '/check', '/home', '/histories'] as const
export type Path = (typeof PATHS)[number]

export const SCREENS: Readonly<Record<Path, Screen>> = {
  '/': { until: 'nav a img' },
  '/megalive': { until: 'mega-live' },
  '/login': { until: 'form input' },
  '/check': { until: 'form input' },
  '/home': { until: 'main li button', account: 'demo01' },
  '/histories': { until: 'main table', account: 'demo03' },
}
