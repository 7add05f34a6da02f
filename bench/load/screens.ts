import type { Account } from '@anniversary/e2e/member-test'

interface Screen {
  /** The page is there when this can be seen. */
  readonly until: string
  /** Whose session a protected page has. */
  readonly account?: Account
}

export type Path = '/' | '/megalive' | '/login' | '/check' | '/home' | '/histories'

export const SCREENS: Readonly<Record<Path, Screen>> = {
  '/': { until: 'nav a img' },
  '/megalive': { until: 'mega-live' },
  '/login': { until: 'form input' },
  '/check': { until: 'form input' },
  '/home': { until: 'main li button', account: 'demo01' },
  '/histories': { until: 'main table', account: 'demo03' },
}

/** @throws when it is none of a screen */
export function pathFrom(text: string): Path {
  if (text in SCREENS) return text as Path // as just asked
  throw new Error(`${text} is none of ${Object.keys(SCREENS).join(', ')}`)
}
