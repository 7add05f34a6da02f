/**
 * Loads the typeface (67 kB) once the page stands: as part of the first style sheet it competes with the code for a slow
 * line and delays the login form by half a second (`npm run bench:load`). A failure leaves the fallback, which is fine.
 */
export const loadWebfont = (): Promise<unknown> =>
  import(/* webpackChunkName: "webfont" */ './webfont.css').catch(() => undefined)
