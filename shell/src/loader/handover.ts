import type { Loader } from './loader.ts'

/* `core` passes its loader to the host. The two are separate builds, so they share a global. */

const globals: { anniversaryCore?: Loader } = globalThis as never
const HANDED_OVER = 'anniversary-core'

export function handOver(loader: Loader): void {
  globals.anniversaryCore = loader
  dispatchEvent(new Event(HANDED_OVER))
}

export function whenCoreRuns(start: (loader: Loader) => void): void {
  const { anniversaryCore } = globals
  if (anniversaryCore) start(anniversaryCore)
  else addEventListener(HANDED_OVER, () => whenCoreRuns(start), { once: true })
}
