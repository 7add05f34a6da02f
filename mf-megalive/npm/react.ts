/** The React component, for React 18 and 19. It registers the element by itself. */
export { MegaLive, type MegaLiveProps } from '../src/MegaLive.tsx'
export type { MegaLiveElement, MegaLiveEvents } from './element.ts'
