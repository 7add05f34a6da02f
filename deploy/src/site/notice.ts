import type { SiteNotice } from '@anniversary/shared/contract/composition'
import { formatEventTime } from '@anniversary/shared/contract/event-time'
import type { SiteRecord } from './record.ts'

export const noticeIn = ({ notice }: Pick<SiteRecord, 'notice'>): Pick<SiteRecord, 'notice'> =>
  notice ? { notice } : {}

/** Returns undefined after its end. */
export function activeNoticeOf({ notice }: SiteRecord, now: Date): SiteNotice | undefined {
  if (notice && Date.parse(notice.until) <= now.getTime()) return undefined
  return notice
}

export const noticeText = ({ text, until }: SiteNotice): string =>
  `notice until ${formatEventTime(until)}: ${text}`
