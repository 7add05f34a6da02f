import { freezeOf, freezeText } from '../checks/freeze-rule.ts'
import { shownIn } from '../site/compose.ts'
import {
  pointerNumber,
  ROLLBACKS,
  readHistoryEnd,
  recordPath,
  requireSite,
  type SiteRecord,
} from '../site/record.ts'
import type { Target } from '../target/target.ts'

/** What is live, and what is to be said about it. */
export interface SiteStatus {
  readonly record: SiteRecord
  /** About pages that show another composition, a freeze, and records that cannot be read. */
  readonly warnings: readonly string[]
}

export async function readStatus(target: Target): Promise<SiteStatus> {
  const { newest, torn } = await readHistoryEnd(target)
  const record = requireSite(newest)
  const shown = await pointerNumber(target)
  const freeze = freezeOf(record, target.now())

  const again = ROLLBACKS.includes(record.change.verb) ? ', or the same rollback again' : ''
  const { number } = shownIn(record)
  const stale = `pages still show composition ${shown ?? 'none'}, not ${number}: \`deploy verify --repair\` finishes it${again}`
  const warnings = [
    ...tornWarnings(torn),
    ...(shown === number ? [] : [stale]),
    ...(freeze ? [freezeText(freeze)] : []),
  ]
  return { record, warnings }
}

export const tornWarnings = (torn: readonly number[]): string[] =>
  torn.map(
    (number) =>
      `${recordPath(number)} is empty or torn, as after a power cut, so its change is lost: \`deploy verify --repair\` replaces it; then make the change again`,
  )
