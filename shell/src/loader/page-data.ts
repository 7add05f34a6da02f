import type { PageComposition } from '@anniversary/shared/contract/composition'
import type { PublicConfig } from '@anniversary/shared/contract/config'
import { IDS } from '@anniversary/shared/contract/page-names'

export type PageData = ReturnType<typeof readPageData>

export function readPageData() {
  return {
    composition: readJson(IDS.compositionData) as PageComposition,
    config: readJson(IDS.configData) as PublicConfig,
  }
}

function readJson(id: string): unknown {
  // Not in the root, where a remote's HTML may use any id.
  const text = document.querySelector(`body > script[type='application/json']#${id}`)?.textContent
  if (!text) throw new Error(`The page carries no #${id}: it was not written by deploy`)
  return JSON.parse(text)
}
