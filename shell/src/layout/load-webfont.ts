/** https://wicg.github.io/savedata/, which Safari and Firefox lack. */
const savesData = () =>
  (navigator as { connection?: { readonly saveData?: boolean } }).connection?.saveData === true

/**
 * Loads the typeface (67 kB) once the page shows: as part of the first style sheet it competes with the code for a slow
 * line and delays the login form by half a second (`npm run bench:load`). If it fails, or the member saves data, the
 * fallback font stays.
 */
export async function loadWebfont(): Promise<void> {
  if (savesData()) return
  await import(/* webpackChunkName: "webfont" */ './webfont.css').catch(() => undefined)
}
