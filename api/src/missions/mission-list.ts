import { TICKETS_PER_STAGE } from '@anniversary/shared/contract/event'
import { nextListChange } from '@anniversary/shared/contract/event-timeline'
import { MISSIONS } from '@anniversary/shared/contract/missions'
import { type Queryable, rowOf, rowsOf } from '../database/database.ts'
import { inSession, ME } from '../login/session.ts'
import { sendJson } from '../server/answers.ts'
import type { App, Context } from '../server/context.ts'
import { StartupError } from '../startup-error.ts'
import { refuseChangedGoals } from './changed-goals.ts'
import { COUNTING, countedSum, longestStreak } from './rules.ts'
import { openStage, shownStage } from './stages.ts'

const saveMissions = rowsOf<never, [missions: string]>(
  `INSERT INTO mission (code, position, name, tickets, open_state, kind, goal)
   SELECT * FROM json_to_recordset($1::json)
     AS g (code text, position smallint, name json, tickets smallint, "openState" smallint, kind text, goal int)
   ON CONFLICT (code) DO UPDATE SET position = excluded.position, name = excluded.name,
     tickets = excluded.tickets, open_state = excluded.open_state, kind = excluded.kind, goal = excluded.goal`,
)

const stageCap = rowOf<{ cap: number }, []>(
  `SELECT substring(pg_get_constraintdef(oid) FROM '<= (\\d+)')::int AS cap FROM pg_constraint
   WHERE conrelid = 'stage_tickets'::regclass AND conname = 'stage_cap'`,
)

const asciiJson = (value: unknown) =>
  JSON.stringify(value).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Writes the campaign's missions. @throws StartupError when the database has another campaign's cap or goals */
export async function syncMissions(db: Queryable): Promise<void> {
  const cap = (await stageCap(db))?.cap
  if (cap !== TICKETS_PER_STAGE)
    throw new StartupError(
      `this database allows ${cap} tickets a stage, but the campaign gives ${TICKETS_PER_STAGE}; set DATABASE_URL to a database of its own, or replace the constraint stage_cap as the tables' owner`,
    )
  const missions = MISSIONS.map((mission, position) => ({
    ...mission,
    position,
    name: mission.name.normalize('NFC'),
    openState: COUNTING[mission.kind].openState,
  }))
  const json = asciiJson(missions)
  await refuseChangedGoals(db, json)
  await saveMissions(db, json)
}

const STREAK = longestStreak({
  memberId: 'me.member_id',
  stage: '$2',
  first: '$4::date',
  last: '$5::date',
})

/** Returns a member's missions as JSON text, or undefined without a live session. @param isOpen false shows unclaimed missions as not reached */
export const listMissions = rowOf<
  { data: string },
  [session: Buffer, stage: number, isOpen: boolean, firstDay: string, lastDay: string]
>(
  `WITH ${ME},
   given AS (
     SELECT t.mission, string_agg(t.code, ',' ORDER BY t.slot) AS codes
     FROM me JOIN ticket t USING (member_id)
     WHERE t.stage = $2 GROUP BY t.mission
   )
   SELECT (
     SELECT json_agg(json_build_object(
         'event_code_detail', m.code,
         'name', m.name,
         'code', coalesce(g.codes, ''),
         'claimed', CASE WHEN mm.claimed_at IS NOT NULL THEN 1
                         WHEN NOT $3::bool THEN 0
                         WHEN mm.reached_at IS NOT NULL THEN 2
                         ELSE m.open_state END,
         'tickets', coalesce(mm.tickets, m.tickets),
         'progress', CASE WHEN $3 AND mm.claimed_at IS NULL AND m.goal IS NOT NULL THEN json_build_object(
           'kind', m.kind, 'goal', m.goal,
           'value', coalesce(${countedSum('m.kind', 'sa')}, CASE m.kind WHEN 'streak' THEN ${STREAK} END, 0)) END
       ) ORDER BY m.position)::text
     FROM mission m
     LEFT JOIN member_mission mm
       ON mm.member_id = me.member_id AND mm.stage = $2 AND mm.mission = m.code
     LEFT JOIN given g ON g.mission = m.code
     LEFT JOIN stage_activity sa ON sa.member_id = me.member_id AND sa.stage = $2
   ) AS data FROM me`,
)

export function missionRoutes(app: App, { database, now }: Context): void {
  const listAt = (session: Buffer, at: Date) => {
    const stage = shownStage(at)
    const isOpen = openStage(at) === stage
    return listMissions(database, session, stage.number, isOpen, stage.firstDay, stage.lastDay)
  }
  app.get('/info', async (request, reply) => {
    const at = now()
    const change = nextListChange(at)?.target
    const [list, next] = await inSession(request, database, async (session) => {
      const lists = await Promise.all([listAt(session, at), change && listAt(session, change)])
      return lists[0] && ([lists[0], lists[1]] as const)
    })
    const coming = change && next && `{"at":"${change.toISOString()}","missions":${next.data}}`
    return sendJson(reply, list.data, { next: coming })
  })
}
