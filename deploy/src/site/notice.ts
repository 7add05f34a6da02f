import type { SiteNotice } from '@anniversary/shared/contract/composition'
import { formatEventTime } from '@anniversary/shared/contract/event-time'
import type { SiteRecord } from './record.ts'

/** Returns the notice of a record as a part of what pages and pointer carry. */
export const noticeIn = ({ notice }: Pick<SiteRecord, 'notice'>): Pick<SiteRecord, 'notice'> =>
  notice ? { notice } : {}

/** Returns the notice that holds; undefined when there is none. */
export function noticeOf({ notice }: SiteRecord, now: Date): SiteNotice | undefined {
  const hasEnded = notice && Date.parse(notice.until) <= now.getTime()
  return hasEnded ? undefined : notice
}

export const noticeText = ({ text, until }: SiteNotice): string =>
  `notice until ${formatEventTime(until)}: ${text}`
