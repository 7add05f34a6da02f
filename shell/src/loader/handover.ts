import type { Loader } from './loader.ts'
import type { PageData } from './page-data.ts'

/**
 * All that the `core` script hands to the host. They are two builds on one page and share this one global, so that
 * neither contains the other's code.
 */
export interface Core extends PageData {
  readonly loader: Loader
}

const globals: { anniversaryCore?: Core } = globalThis as never

export function handOver(core: Core): void {
  globals.anniversaryCore = core
}

/** @throws when the core script has not run, without which nothing else can either */
export function fromCore(): Core {
  if (!globals.anniversaryCore) throw new Error('The core script has not run')
  return globals.anniversaryCore
}
