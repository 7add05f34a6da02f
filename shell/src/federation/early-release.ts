import type { Release } from '@anniversary/shared/contract/composition'
import { type Container, fetchRelease } from './release-files.ts'

interface Early {
  readonly release: string
  readonly expose: string
  readonly container: Promise<Container>
}

/** The `core` script and the host are two builds on one page; they meet at this global. */
const globals: { anniversaryEarly?: Early | undefined } = globalThis as never

/**
 * Fetches the first page's remote while the host's own scripts are still on their way. Called by the `core` script,
 * which is a tenth of the host and runs first.
 */
export function startEarly(release: Release, expose: string): void {
  const container = fetchRelease(release, expose, { query: '', signal: new AbortController().signal })
  // The host hears of a failure when it asks; until then nobody listens.
  container.catch(() => undefined)
  globals.anniversaryEarly = { release: release.entry, expose, container }
}

/** Takes what was fetched early, if it is this; the next attempt fetches anew. */
export function takeEarly(release: Release, expose: string): Promise<Container> | undefined {
  const early = globals.anniversaryEarly
  if (early?.release !== release.entry || early.expose !== expose) return undefined
  globals.anniversaryEarly = undefined
  return early.container
}
