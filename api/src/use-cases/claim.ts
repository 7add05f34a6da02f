import { SHARE_MISSION, STREAK_MISSION, type Stage } from '@anniversary/shared/contract/event'
import type { TakeCodeBody } from '@anniversary/shared/contract/wire'
import type { Queryable } from '../database/database.ts'
import { readDepositDays } from '../repositories/activity.ts'
import type { TakeTickets } from '../repositories/claim-sets.ts'
import { readClaim } from '../repositories/claims.ts'
import { noteRefusal } from '../repositories/refusals.ts'
import type { SessionKey } from '../rules/credentials.ts'
import { isMissionCode } from '../rules/missions.ts'
import { sharedPages } from '../rules/share.ts'
import { openStage, shownStage } from '../rules/stages.ts'
import { hasStreak, rangeInStage } from '../rules/streak.ts'

export type ClaimOutcome =
  | { readonly result: 'granted' | 'repeated'; readonly codes: readonly string[] }
  | { readonly result: 'no-session' | ClaimRefusal }

export type ClaimRefusal =
  | 'no-mission'
  | 'not-reached'
  | 'stage-closed'
  | 'stage-full'
  | 'dates-missing'
  | 'dates-reversed'
  | 'no-streak'
  | 'links-missing'
  | 'bad-links'

export interface ClaimCommand {
  readonly session: SessionKey
  readonly body: TakeCodeBody
  readonly now: Date
  readonly shareHost: string
}

/** `proof` is stored with the claim. Without it, `refusal` is the reason unless the ledger reached the mission. */
interface Proving {
  readonly proof?: unknown
  readonly refusal: ClaimRefusal
}

function proveShare({ body, shareHost }: ClaimCommand): Proving {
  if (!body.share_links) return { refusal: 'links-missing' }
  const pages = sharedPages(body.share_links, shareHost)
  return {
    ...(pages && { proof: { share_links: body.share_links, shared_pages: pages } }),
    refusal: 'bad-links',
  }
}

async function proveStreak(db: Queryable, { session, body }: ClaimCommand, stage: Stage): Promise<Proving> {
  const { startTimeStreak: start, endTimeStreak: end } = body
  if (!start || !end) return { refusal: 'dates-missing' }
  if (start > end) return { refusal: 'dates-reversed' }
  const range = rangeInStage(stage, start, end)
  const found = range && (await readDepositDays(db, session, range.start, range.end))
  return { ...(found && hasStreak(found.days) && { proof: range }), refusal: 'no-streak' }
}

/** Checks what the member sent for a mission that the ledger alone does not decide. */
async function prove(db: Queryable, command: ClaimCommand, stage: Stage): Promise<Proving> {
  const mission = command.body.event_code_detail
  if (mission === SHARE_MISSION) return proveShare(command)
  if (mission === STREAK_MISSION) return proveStreak(db, command, stage)
  return { refusal: 'not-reached' }
}

/** Why a claim took nothing: the session is over, the codes were given before, or the given refusal, which is noted. */
async function explain(db: Queryable, command: ClaimCommand, refusal: ClaimRefusal): Promise<ClaimOutcome> {
  const { session, now } = command
  const mission = command.body.event_code_detail
  const stage = shownStage(now).number
  const claimed = await readClaim(db, session, stage, mission)
  if (!claimed) return { result: 'no-session' }
  if (claimed.codes) return { result: 'repeated', codes: claimed.codes }
  if (isMissionCode(mission)) await noteRefusal(db, session, stage, mission, refusal, now)
  return { result: refusal }
}

/**
 * Claims a mission's tickets in the stage that is open at `now`. A repeated claim answers the codes of the first,
 * also after the stage has closed and whatever proof it carries.
 */
export async function claimMission(
  db: Queryable,
  takeTickets: TakeTickets,
  command: ClaimCommand,
): Promise<ClaimOutcome> {
  const { session, body, now } = command
  const mission = body.event_code_detail
  if (!isMissionCode(mission)) return explain(db, command, 'no-mission')
  const stage = openStage(now)
  if (!stage) return explain(db, command, 'stage-closed')

  const { proof, refusal } = await prove(db, command, stage)
  // Also without a proof: the back office may have completed the mission.
  const codes = await takeTickets({ session, stage: stage.number, mission, at: now, proof })
  if (codes === 'full') return explain(db, command, 'stage-full')
  return codes ? { result: 'granted', codes } : explain(db, command, refusal)
}
