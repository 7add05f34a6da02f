import { type Queryable, statement } from '../database/database.ts'
import { shardNamedBy } from '../rules/shard.ts'

const earlyShards = statement(
  'early-shards',
  'SELECT code, shard FROM early_code WHERE code = ANY($1::text[])',
)

/** The shards of these codes, in their order. A code names its own; those given before migration 0004 are listed. */
export async function readTicketShards(db: Queryable, codes: readonly string[]): Promise<number[]> {
  const rows = await db.query<{ code: string; shard: number }>(earlyShards, [codes])
  const early = new Map(rows.map((row) => [row.code, row.shard]))
  return codes.map((code) => early.get(code) ?? shardNamedBy(code) ?? 0)
}
