import type { Composition } from '@anniversary/shared/contract/composition'
import type { PublicConfig } from '@anniversary/shared/contract/config'
import { COMPOSITION_ELEMENT_ID, CONFIG_ELEMENT_ID } from '@anniversary/shared/contract/element-ids'

function readJson(id: string): unknown {
  const text = document.getElementById(id)?.textContent
  if (!text) throw new Error(`The page carries no #${id}: it was not written by deploy`)
  return JSON.parse(text)
}

/**
 * The composition and configuration that this page was served with. The page keeps them for its whole life, so that its
 * parts always fit each other. `deploy` has validated both when it wrote the page.
 */
export const readPageData = () => ({
  composition: readJson(COMPOSITION_ELEMENT_ID) as Composition,
  config: readJson(CONFIG_ELEMENT_ID) as PublicConfig,
})
