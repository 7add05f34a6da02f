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

  const warnings = tornWarnings(torn)
  if (!isShown(record, pointer)) warnings.push(staleText(record, pointer?.number))
  if (freeze) warnings.push(freezeText(freeze))
  if (notice) warnings.push(noticeText(notice))
  return { record, warnings }
}

function staleText(record: SiteRecord, seen: number | undefined): string {
  const wanted = shownComposition(record).number
  const shown =
    seen === wanted ? 'the notice before' : `composition ${seen ?? 'none'}, not ${wanted}`
  const text = `pages still show ${shown}: \`deploy verify --repair\` finishes it`
  if (ROLLBACKS.includes(record.change.verb)) return `${text}, or the same rollback again`
  return text
}

export const tornWarnings = (torn: readonly number[]): string[] =>
  torn.map(
    (number) =>
      `${pathOfRecord(number)} is empty or torn, as after a power cut, so its change is lost: \`deploy verify --repair\` replaces it; then make the change again`,
  )
