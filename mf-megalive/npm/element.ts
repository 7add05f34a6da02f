/** The element's class without registering it: for a page that wants to choose the moment. */
export { defineMegaLive } from '../src/element/define.ts'
export type { MegaLiveEvents } from '../src/element/events.ts'
export { MegaLiveElement } from '../src/element/mega-live.ts'
export type { Phase } from '../src/element/phase.ts'
