import { type Queryable, rowsOf } from '../database/database.ts'
import { shardNamedBy } from '../rules/shard.ts'

const earlyShards = rowsOf<{ code: string; shard: number }, [codes: readonly string[]]>(
  'early-shards',
  'SELECT code, shard FROM early_code WHERE code = ANY($1::text[])',
)

/** The shards of these codes, in their order. A code names its own; those given before migration 0004 are listed. */
export async function readTicketShards(db: Queryable, codes: readonly string[]): Promise<number[]> {
  const early = new Map((await earlyShards(db, codes)).map((row) => [row.code, row.shard]))
  return codes.map((code) => early.get(code) ?? shardNamedBy(code) ?? 0)
}
