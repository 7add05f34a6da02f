import { SHARE_LINKS } from '@anniversary/shared/contract/event'
import { dropFromTab, readFromTab, saveInTab } from '@anniversary/shared/ui/tab-storage'

const keyOf = (username: string) => `share-draft:${username}`

/**
 * Links typed but not yet sent, by member, in this tab: always `SHARE_LINKS`
 * texts.
 */
export function readShareDraft(username: string): string[] {
  const saved = readFromTab(keyOf(username))
  const links: readonly unknown[] = Array.isArray(saved) ? saved : []
  return Array.from({ length: SHARE_LINKS }, (_, i) =>
    typeof links[i] === 'string' ? links[i] : '',
  )
}

export const saveShareDraft = (username: string, links: readonly string[]): void =>
  saveInTab(keyOf(username), links)

export const dropShareDraft = (username: string): void => dropFromTab(keyOf(username))
