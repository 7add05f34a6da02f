import { type Queryable, statement } from '../database/database.ts'

const totals = statement(
  'stats-totals',
  `SELECT (SELECT count(*) FROM member)::int AS members,
     (SELECT count(*) FROM member_address)::int AS addresses,
     (SELECT count(*) FROM session WHERE expires_at > now())::int AS sessions,
     (SELECT count(*) FROM activity)::int AS activity,
     (SELECT count(*) FROM activity WHERE kind = 'reversal')::int AS reversals,
     (SELECT count(*) FROM ticket)::int AS tickets,
     (SELECT count(*) FROM draw_result)::int AS winners,
     (SELECT count(*) FROM giftcode_trade)::int AS exchanges,
     (SELECT count(*) FROM member_mission WHERE needs_review)::int AS "toReview"`,
)

const byMission = statement(
  'stats-missions',
  `SELECT mm.stage, mm.mission, count(*) FILTER (WHERE mm.reached_at IS NOT NULL)::int AS reached,
     count(mm.claimed_at)::int AS claimed, coalesce(sum(mm.tickets) FILTER (WHERE mm.claimed_at IS NOT NULL), 0)::int AS tickets
   FROM member_mission mm JOIN mission m ON m.code = mm.mission GROUP BY mm.stage, mm.mission, m.position
   ORDER BY mm.stage, m.position`,
)

const review = statement(
  'stats-review',
  `SELECT o.account, mm.stage, mm.mission, event_time(mm.claimed_at) AS "claimedAt"
   FROM member_mission mm JOIN member o ON o.id = mm.member_id WHERE mm.needs_review
   ORDER BY mm.claimed_at LIMIT 1000`,
)

export interface Stats {
  readonly totals: Readonly<Record<string, number>>
  readonly missions: readonly {
    stage: number
    mission: string
    reached: number
    claimed: number
    tickets: number
  }[]
  /** Claimed missions that a reversal has undone, the oldest first, at most 1,000. */
  readonly review: readonly { account: string; stage: number; mission: string; claimedAt: string }[]
}

export async function readStats(db: Queryable): Promise<Stats> {
  const [row] = await db.query<Record<string, number>>(totals)
  return { totals: row ?? {}, missions: await db.query(byMission), review: await db.query(review) }
}
