/** The specification's routes (section 2). A new remote adds its own; links are typed from here. */
export const paths = {
  landing: '/',
  megalive: '/megalive',
  login: '/login',
  check: '/check',
  home: '/home',
  histories: '/histories',
} as const

/** An absolute path inside the app. Never a URL of another origin. */
export type AppPath = (typeof paths)[keyof typeof paths] | `/${string}`
