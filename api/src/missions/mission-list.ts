import { STAGES, type Stage, TICKETS_PER_STAGE } from '@anniversary/shared/contract/event'
import { nextListChange } from '@anniversary/shared/contract/event-timeline'
import { MISSIONS } from '@anniversary/shared/contract/missions'
import { type Database, namedStatement, rowOf, rowsOf } from '../database/database.ts'
import { inSession, ME } from '../login/session.ts'
import { sendJsonAnswer } from '../server/answers.ts'
import type { App, Context } from '../server/context.ts'
import { StartupError } from '../startup-error.ts'
import { refuseChangedGoals, refuseReplacedMissions } from './changed-goals.ts'
import { refuseChangedStages } from './changed-stages.ts'
import { COUNTING, countedSum, longestStreakIn } from './rules.ts'
import { findOpenStage, findShownStage } from './stages.ts'

/** Missions that the campaign does not have go: nobody has reached them. */
export const saveMissions = rowsOf<never, [missions: string]>(
  `WITH given AS (
     SELECT * FROM json_to_recordset($1::json)
       AS g (code text, position smallint, name json, tickets smallint,
         "openState" smallint, kind text, goal int)
   ),
   gone AS (DELETE FROM mission WHERE code NOT IN (SELECT code FROM given))
   INSERT INTO mission (code, position, name, tickets, open_state, kind, goal)
   SELECT * FROM given
   ON CONFLICT (code) DO UPDATE SET position = excluded.position, name = excluded.name,
     tickets = excluded.tickets, open_state = excluded.open_state, kind = excluded.kind, goal = excluded.goal`,
)

// Waits for a recount, whose goals it would overwrite. No write of a member
// waits behind it, so it needs no limit as in lockOfTables.
const lockMissions = namedStatement('LOCK TABLE mission IN SHARE ROW EXCLUSIVE MODE')

const stageCap = rowOf<{ cap: number }, []>(
  `SELECT substring(pg_get_constraintdef(oid) FROM '<= (\\d+)')::int AS cap FROM pg_constraint
   WHERE conrelid = 'stage_tickets'::regclass AND conname = 'stage_cap'`,
)

const asciiJson = (value: unknown) =>
  JSON.stringify(value).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

export function campaignMissions(): string {
  const missions = MISSIONS.map((mission, position) => ({
    ...mission,
    position,
    name: mission.name.normalize('NFC'),
    openState: COUNTING[mission.kind].openState,
  }))
  return asciiJson(missions)
}

/**
 * @throws StartupError when the database has another campaign's cap, missions,
 * goals or days
 */
export async function syncMissions(db: Database, stages: readonly Stage[] = STAGES): Promise<void> {
  const cap = (await stageCap(db))?.cap
  if (cap !== TICKETS_PER_STAGE)
    throw new StartupError(
      `this database allows ${cap} tickets a stage, but the campaign gives ${TICKETS_PER_STAGE}; set DATABASE_URL to a database of its own, or replace the constraint stage_cap as the tables' owner`,
    )
  const missions = campaignMissions()
  await db.transaction(async (tx) => {
    await tx.query(lockMissions)
    await refuseReplacedMissions(tx, missions)
    await refuseChangedGoals(tx, missions)
    await refuseChangedStages(tx, stages)
    await saveMissions(tx, missions)
  })
}

/**
 * SQL: the member and a stage, whose values begin with $`first`. Materialized,
 * so that the planner does not see them: plans for a closed stage, or one that
 * has no rows yet, look cheaper, and Postgres would plan each call anew.
 */
const memberIn = (name: string, first: number) => `${name} AS MATERIALIZED (
  SELECT member_id, $${first}::smallint AS stage, $${first + 1}::bool AS is_open,
    $${first + 2}::date AS first_day, $${first + 3}::date AS last_day FROM me)`

/**
 * SQL: the missions as JSON text, and as they are when the stage is closed.
 * @param of name of a `memberIn`
 */
function missionsOf(of: string) {
  const stage = `${of}.stage`
  const streak = longestStreakIn('sa', {
    memberId: `${of}.member_id`,
    first: `${of}.first_day`,
    last: `${of}.last_day`,
  })
  const list = (isOpen: string) => `json_agg(json_build_object(
      'event_code_detail', m.code,
      'name', m.name,
      'code', coalesce(g.codes, ''),
      'claimed', CASE WHEN mm.claimed_at IS NOT NULL THEN 1
                      WHEN NOT ${isOpen} THEN 0
                      WHEN mm.reached_at IS NOT NULL THEN 2
                      ELSE m.open_state END,
      'tickets', coalesce(mm.tickets, m.tickets),
      'progress', CASE WHEN ${isOpen} AND mm.claimed_at IS NULL AND m.goal IS NOT NULL
        THEN json_build_object(
        'kind', m.kind, 'goal', m.goal,
        'value', coalesce(${countedSum('m.kind', 'sa')},
          CASE m.kind WHEN 'streak' THEN ${streak} END, 0)) END
    ) ORDER BY m.position)::text`
  const missions = `mission m
    LEFT JOIN member_mission mm
      ON mm.member_id = ${of}.member_id AND mm.stage = ${stage} AND mm.mission = m.code
    LEFT JOIN (
      SELECT t.mission, string_agg(t.code, ',' ORDER BY t.slot) AS codes FROM ticket t
      WHERE t.member_id = ${of}.member_id AND t.stage = ${stage} AND t.voided_at IS NULL
        GROUP BY t.mission
    ) g ON g.mission = m.code
    LEFT JOIN stage_activity sa ON sa.member_id = ${of}.member_id AND sa.stage = ${stage}`
  return {
    shown: `(SELECT ${list(`${of}.is_open`)} FROM ${missions})`,
    shownAndClosed: `(SELECT ${list(`${of}.is_open`)} AS data, ${list('false')} AS next FROM ${missions})`,
  }
}

/**
 * A stage as values of `memberIn`.
 * @param isOpen false shows unclaimed missions as not reached
 */
type ShownStage = [stage: number, isOpen: boolean, firstDay: string, lastDay: string]

export function shownAt(at: Date): ShownStage {
  const stage = findShownStage(at)
  return [stage.number, findOpenStage(at) === stage, stage.firstDay, stage.lastDay]
}

/** Undefined: no live session. */
export const listMissions = rowOf<{ data: string }, [session: Buffer, ...ShownStage]>(
  `WITH ${ME}, ${memberIn('shown', 2)} SELECT ${missionsOf('shown').shown} AS data FROM shown`,
)

interface TwoLists {
  readonly data: string
  readonly next: string
}

const listBeforeStart = rowOf<TwoLists, [session: Buffer, ...ShownStage, ...ShownStage]>(
  `WITH ${ME}, ${memberIn('shown', 2)}, ${memberIn('coming', 6)}
   SELECT ${missionsOf('shown').shown} AS data, ${missionsOf('coming').shown} AS next
   FROM shown, coming`,
)

const listBeforeEnd = rowOf<TwoLists, [session: Buffer, ...ShownStage]>(
  `WITH ${ME}, ${memberIn('shown', 2)}
   SELECT data, next FROM shown, LATERAL ${missionsOf('shown').shownAndClosed} AS list`,
)

export function missionRoutes(app: App, { database, now }: Context): void {
  app.get('/info', async (request, reply) => {
    const at = now()
    const change = nextListChange(at)

    if (!change) {
      const { data } = await inSession(request, database, (session) =>
        listMissions(database, session, ...shownAt(at)),
      )
      return sendJsonAnswer(reply, data)
    }

    const { data, next } = await inSession(request, database, (session) => {
      if (change.kind === 'stage-end') return listBeforeEnd(database, session, ...shownAt(at))
      return listBeforeStart(database, session, ...shownAt(at), ...shownAt(change.target))
    })
    const coming = `{"at":"${change.target.toISOString()}","missions":${next}}`
    return sendJsonAnswer(reply, data, { next: coming })
  })
}
