import type { Release } from '@anniversary/shared/contract/composition'
import type { PageData } from '../page-data.ts'
import type { PublishedFolder } from './published-folders.ts'
import type { Container, fetchContainer, fetchFiles } from './release-files.ts'

/**
 * What the `core` script has prepared for the host. The two are builds of their own on one page, and meet at a global,
 * so that neither carries the other's code.
 */
export interface FromCore extends PageData {
  readonly folders: readonly PublishedFolder[]
  readonly fetchContainer: typeof fetchContainer
  readonly fetchFiles: typeof fetchFiles
  /** Files of the same folder as this one that were asked for and have neither arrived nor failed. */
  waitingBeside(url: string): readonly string[]
  /** The first page's remote, on its way since before the host's own scripts have arrived. */
  early?: { readonly release: Release; readonly expose: string; readonly container: Promise<Container> }
}

const globals: { anniversaryCore?: FromCore } = globalThis as never

export function handOver(prepared: FromCore): void {
  globals.anniversaryCore = prepared
}

/** @throws when the core script has not run, without which nothing else can either */
export function fromCore(): FromCore {
  if (!globals.anniversaryCore) throw new Error('The core script has not run')
  return globals.anniversaryCore
}

/** The first page's remote, if it is this; once, since another attempt fetches anew. */
export function takeEarly(release: Release, expose: string): Promise<Container> | undefined {
  const core = fromCore()
  if (core.early?.release.entry !== release.entry || core.early.expose !== expose) return undefined
  const { container } = core.early
  delete core.early
  return container
}
