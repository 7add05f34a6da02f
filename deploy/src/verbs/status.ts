import { activeFreezeOf, freezeText } from '../checks/freeze-rule.ts'
import { isShown, shownComposition } from '../site/compose.ts'
import { activeNoticeOf, noticeText } from '../site/notice.ts'
import {
  pathOfRecord,
  ROLLBACKS,
  readHistoryEnd,
  readSitePointer,
  requireSiteRecord,
  type SiteRecord,
} from '../site/record.ts'
import type { Target } from '../target/target.ts'

interface SiteStatus {
  readonly record: SiteRecord
  readonly warnings: readonly string[]
}

export async function readSiteStatus(target: Target): Promise<SiteStatus> {
  const { newest, torn } = await readHistoryEnd(target)
  const record = requireSiteRecord(newest)
  const pointer = await readSitePointer(target)
  const freeze = activeFreezeOf(record, target.now())
  const notice = activeNoticeOf(record, target.now())

  const again = ROLLBACKS.includes(record.change.verb) ? ', or the same rollback again' : ''
  const { number } = shownComposition(record)
  const stale = `pages still show ${staleText(pointer?.number, number)}: \`deploy verify --repair\` finishes it${again}`
  const warnings = [
    ...tornWarnings(torn),
    ...(isShown(record, pointer) ? [] : [stale]),
    ...(freeze ? [freezeText(freeze)] : []),
    ...(notice ? [noticeText(notice)] : []),
  ]
  return { record, warnings }
}

function staleText(seen: number | undefined, wanted: number): string {
  if (seen === wanted) return 'the notice before'
  return `composition ${seen ?? 'none'}, not ${wanted}`
}

export const tornWarnings = (torn: readonly number[]): string[] =>
  torn.map(
    (number) =>
      `${pathOfRecord(number)} is empty or torn, as after a power cut, so its change is lost: \`deploy verify --repair\` replaces it; then make the change again`,
  )
