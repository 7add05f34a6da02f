import { type Queryable, rowOf, rowsOf } from '../database/database.ts'

const totalsOf = rowOf<Readonly<Record<string, number>>, []>(
  'stats-totals',
  `SELECT (SELECT count(*) FROM member)::int AS members,
     (SELECT count(*) FROM member_address)::int AS addresses,
     (SELECT count(*) FROM session WHERE expires_at > now())::int AS sessions,
     (SELECT count(*) FROM activity)::int AS activity,
     (SELECT count(*) FROM activity WHERE kind = 'reversal')::int AS reversals,
     (SELECT count(*) FROM ticket)::int AS tickets,
     (SELECT count(*) FROM draw_result)::int AS winners,
     (SELECT count(*) FROM giftcode_trade)::int AS exchanges,
     (SELECT count(*) FROM member_mission WHERE needs_review)::int AS "toReview",
     (SELECT count(*) FROM member WHERE banned_at IS NOT NULL)::int AS banned,
     (SELECT count(*) FROM ticket WHERE voided_at IS NOT NULL)::int AS void`,
)

const missionsOf = rowsOf<
  { stage: number; mission: string; reached: number; claimed: number; tickets: number },
  []
>(
  'stats-missions',
  `SELECT mm.stage, mm.mission, count(*) FILTER (WHERE mm.reached_at IS NOT NULL)::int AS reached,
     count(mm.claimed_at)::int AS claimed, coalesce(sum(mm.tickets) FILTER (WHERE mm.claimed_at IS NOT NULL), 0)::int AS tickets
   FROM member_mission mm JOIN mission m ON m.code = mm.mission GROUP BY mm.stage, mm.mission, m.position
   ORDER BY mm.stage, m.position`,
)

export const readStats = async (db: Queryable) => ({
  totals: (await totalsOf(db)) ?? {},
  missions: await missionsOf(db),
})
