import type { Loader } from './loader.ts'
import type { PageData } from './page-data.ts'

/** Everything `core` passes to the host. The two are separate builds, so they share a global. */
export interface Core extends PageData {
  readonly loader: Loader
}

const globals: { anniversaryCore?: Core } = globalThis as never
const HANDED_OVER = 'anniversary-core'

export function handOver(core: Core): void {
  globals.anniversaryCore = core
  dispatchEvent(new Event(HANDED_OVER))
}

export function whenCoreRuns(start: (core: Core) => void): void {
  const { anniversaryCore } = globals
  if (anniversaryCore) start(anniversaryCore)
  else addEventListener(HANDED_OVER, () => whenCoreRuns(start), { once: true })
}
