import type { AppPath } from './host.ts'

/**
 * The specification's routes (section 2). A new remote adds its own; links are
 * typed from here.
 */
export const paths = {
  landing: '/',
  megalive: '/megalive',
  login: '/login',
  check: '/check',
  home: '/home',
  histories: '/histories',
} as const satisfies Record<string, AppPath>

/** The calendar of the draws, a file that the shell's build makes. */
export const CALENDAR_FILE = '/lich-quay-thuong.ics'
