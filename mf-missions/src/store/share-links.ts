import { SHARE_LINKS } from '@anniversary/shared/contract/event'

const keyOf = (username: string) => `share-draft:${username}`

/** Runs work on the browser's storage. Returns undefined where storage is blocked, full or damaged. */
export function attempt(work: () => unknown): unknown {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** Links typed but not yet sent, by member, in this tab: always `SHARE_LINKS` texts. */
export function readDraft(username: string): string[] {
  const saved = attempt(() => JSON.parse(sessionStorage.getItem(keyOf(username)) ?? ''))
  const links: readonly unknown[] = Array.isArray(saved) ? saved : []
  return Array.from({ length: SHARE_LINKS }, (_, i) =>
    typeof links[i] === 'string' ? links[i] : '',
  )
}

export const saveDraft = (username: string, links: readonly string[]): void =>
  void attempt(() => sessionStorage.setItem(keyOf(username), JSON.stringify(links)))

export const dropDraft = (username: string): void =>
  void attempt(() => sessionStorage.removeItem(keyOf(username)))
