/**
 * Loads the typeface (67 kB) once the page shows: as part of the first style sheet it competes with the code for a slow
 * line and delays the login form by half a second (`npm run bench:load`). If it fails, the fallback font stays.
 */
export const loadWebfont = (): Promise<unknown> =>
  import(/* webpackChunkName: "webfont" */ './webfont.css').catch(() => undefined)
