import type { Composition } from '@anniversary/shared/contract/composition'
import type { PublicConfig } from '@anniversary/shared/contract/config'
import { COMPOSITION_ELEMENT_ID, CONFIG_ELEMENT_ID } from '@anniversary/shared/contract/element-ids'
import { visitorShare, withCanaries } from './canary.ts'

export interface PageData {
  /** As `deploy` wrote it. */
  readonly composition: Composition
  /** Its remotes, canaries chosen. */
  readonly remotes: Composition['remotes']
  readonly config: PublicConfig
}

/**
 * Reads the composition and configuration that this page was served with. `deploy` validated both when it wrote the
 * page. The page keeps them for its whole life, so that its parts always fit each other.
 */
export function readPageData(): PageData {
  const composition = readJson(COMPOSITION_ELEMENT_ID) as Composition
  return {
    composition,
    remotes: withCanaries(composition.remotes, visitorShare(composition.remotes)),
    config: readJson(CONFIG_ELEMENT_ID) as PublicConfig,
  }
}

function readJson(id: string): unknown {
  const text = document.getElementById(id)?.textContent
  if (!text) throw new Error(`The page carries no #${id}: it was not written by deploy`)
  return JSON.parse(text)
}
