import { MegaLiveElement } from './element/mega-live.ts'

export type { MegaLiveEvents } from './element/events.ts'
export type { Phase } from './element/phase.ts'
export type { MegaLiveElement }

// A second copy of this script changes nothing, nor does a server's.
if (globalThis.customElements && !customElements.get('mega-live'))
  customElements.define('mega-live', MegaLiveElement)
