import type { Landing as LandingPage } from './Landing.tsx'

/*
 * The landing page is a chunk of its own, because the first load of another
 * page does not need it.
 */

let Landing: typeof LandingPage | undefined

export async function loadLanding(): Promise<void> {
  Landing ??= (await import(/* webpackChunkName: "landing" */ './Landing.tsx')).Landing
}

export const loadedLanding = () => Landing
