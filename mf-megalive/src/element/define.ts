import { MegaLiveElement } from './mega-live.ts'

/** Registers `<mega-live>`. A second call, also from another copy of this script, changes nothing. */
export function defineMegaLive(): void {
  if (globalThis.customElements && !customElements.get('mega-live'))
    customElements.define('mega-live', MegaLiveElement)
}
