import type { Stage } from '@anniversary/shared/contract/event'
import { type MissionRule, STREAK_DAYS } from '@anniversary/shared/contract/missions'
import type { TakeCodeBody } from '@anniversary/shared/contract/wire'
import { readShareLinks } from '@anniversary/shared/readers/share-links'
import { type Queryable, rowOf } from '../database/database.ts'
import { ME } from '../login/session.ts'
import { findMission, longestStreak } from '../missions/rules.ts'
import { findOpenStage, findShownStage } from '../missions/stages.ts'
import { type ClaimRefusal, type ClaimRequest, explainClaim, takeTickets } from './take-tickets.ts'

type ClaimOutcome =
  | { readonly result: 'granted' | 'repeated'; readonly codes: readonly string[] }
  | { readonly result: 'no-session' | ClaimRefusal }

interface ClaimCommand {
  readonly session: Buffer
  readonly body: TakeCodeBody
  readonly now: Date
  readonly shareHost: string
}

interface Proving {
  readonly proof?: unknown
  /** Why an unreached mission is not granted; null when there is a proof. */
  readonly refusal: ClaimRefusal | null
}

function proveShare({ body, shareHost }: ClaimCommand): Proving {
  if (!body.share_links) return { refusal: 'links-missing' }
  const readings = readShareLinks(body.share_links, shareHost)
  const pages = readings.flatMap((reading) => ('page' in reading ? [reading.page] : []))
  if (pages.length < readings.length) return { refusal: 'bad-links' }
  return { proof: { share_links: body.share_links, shared_pages: pages }, refusal: null }
}

const STREAK = longestStreak({
  memberId: 'me.member_id',
  stage: '$2::int',
  first: '$3::date',
  last: '$4::date',
})
const readStreak = rowOf<
  { days: number },
  [session: Buffer, stage: number, first: string, last: string]
>(`WITH ${ME} SELECT ${STREAK} AS days FROM me`)

async function proveStreak(
  db: Queryable,
  { session, body }: ClaimCommand,
  stage: Stage,
): Promise<Proving> {
  const { startTimeStreak: start, endTimeStreak: end } = body
  if (!start || !end) return { refusal: 'dates-missing' }
  if (start > end) return { refusal: 'dates-reversed' }
  // Only the days of the stage count. As text, days sort by time.
  const [, first = start] = [start, stage.firstDay].sort()
  const [last = end] = [end, stage.lastDay].sort()
  // Also a year 0, which Postgres does not read.
  if (first > last) return { refusal: 'no-streak' }
  const found = await readStreak(db, session, stage.number, first, last)
  if (!found || found.days < STREAK_DAYS) return { refusal: 'no-streak' }
  return { proof: { start: first, end: last }, refusal: null }
}

function proveMission(
  db: Queryable,
  command: ClaimCommand,
  { kind }: MissionRule,
  stage: Stage,
): Proving | Promise<Proving> {
  if (kind === 'share') return proveShare(command)
  if (kind === 'streak') return proveStreak(db, command, stage)
  return { refusal: 'not-reached' }
}

/** Concurrent calls may change the claim's rows each time. */
const ATTEMPTS = 5

/**
 * A repeated claim returns the codes of the first one, also after the stage has
 * closed and with any proof.
 * @param take makes the first attempt
 */
export async function claimMission(
  db: Queryable,
  command: ClaimCommand,
  take = (request: ClaimRequest) => takeTickets(db, request),
): Promise<ClaimOutcome> {
  const { session, body, now } = command
  const mission = body.event_code_detail
  const stage = findOpenStage(now)
  const rule = findMission(mission)
  const isOpen = stage !== undefined && rule !== undefined

  /**
   * Returns undefined when the claim can be granted now.
   * @param refusal null when a proof makes the mission reached
   */
  const explain = async (refusal: ClaimRefusal | null): Promise<ClaimOutcome | undefined> => {
    const shown = findShownStage(now).number
    const state = await explainClaim(db, session, shown, mission, now, refusal, isOpen)
    if (!state) return { result: 'no-session' }
    if (state.codes) return { result: 'repeated', codes: state.codes }
    if (state.reason) return { result: state.reason }
    return undefined
  }
  const refuse = async (reason: ClaimRefusal) => (await explain(reason)) ?? { result: reason }

  if (!rule) return refuse('no-mission')
  if (!stage) return refuse('stage-closed')

  const { proof, refusal } = await proveMission(db, command, rule, stage)
  const request = { session, stage: stage.number, mission, at: now, proof }
  // The back office may have completed the mission.
  let codes = await take(request)
  for (let attempt = 1; !codes; attempt++) {
    const outcome = await explain(refusal)
    if (outcome) return outcome
    if (attempt === ATTEMPTS)
      throw Object.assign(new Error('concurrent calls keep changing the claim'), { code: '40001' })
    codes = await takeTickets(db, request)
  }
  return { result: 'granted', codes }
}
