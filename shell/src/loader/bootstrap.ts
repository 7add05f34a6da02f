import type { Loader } from './loader.ts'

/*
 * The core script provides its loader to the host. They are separate builds, so
 * they share a global.
 */

const globals: { anniversaryCore?: Loader } = globalThis as never
const LOADER_READY = 'anniversary-core'

export function provideLoader(loader: Loader): void {
  globals.anniversaryCore = loader
  dispatchEvent(new Event(LOADER_READY))
}

export function whenCoreRuns(start: (loader: Loader) => void): void {
  const { anniversaryCore } = globals
  if (anniversaryCore) start(anniversaryCore)
  else addEventListener(LOADER_READY, () => whenCoreRuns(start), { once: true })
}
