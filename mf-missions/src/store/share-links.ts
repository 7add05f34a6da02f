import { SHARE_LINKS } from '@anniversary/shared/contract/event'

/** The share dialog's check of one link (specification, section 5). */
export const isShareLink = (link: string, shareHost: string): boolean =>
  link !== '' && link.toLowerCase().includes(shareHost.toLowerCase())

const emptyLinks = (): string[] => Array.from({ length: SHARE_LINKS }, () => '')
const keyOf = (username: string) => `share-draft:${username}`

/** Links typed but not yet sent, by member, in this tab: always `SHARE_LINKS` texts. */
export function readDraft(username: string): string[] {
  try {
    const saved: unknown = JSON.parse(sessionStorage.getItem(keyOf(username)) ?? '[]')
    if (Array.isArray(saved))
      return emptyLinks().map((none, i) => (typeof saved[i] === 'string' ? saved[i] : none))
  } catch {
    // Blocked storage or a damaged draft: start empty.
  }
  return emptyLinks()
}

export function saveDraft(username: string, links: readonly string[]): void {
  try {
    sessionStorage.setItem(keyOf(username), JSON.stringify(links))
  } catch {
    // Blocked or full storage: the draft lasts as long as the dialog.
  }
}

export function dropDraft(username: string): void {
  try {
    sessionStorage.removeItem(keyOf(username))
  } catch {
    // Blocked storage holds no draft.
  }
}
