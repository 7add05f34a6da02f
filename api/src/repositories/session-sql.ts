import { type Queryable, rowOf } from '../database/database.ts'
import type { SessionKey } from '../rules/credentials.ts'
import { SHARDS } from '../rules/shard.ts'

/**
 * The member of the session in shard $1 with token hash $2. Every member's statement begins with it, so that a call is
 * one round trip; and it names the shard for each of its tables, so that it touches one partition or server.
 */
export const ME = `me AS (SELECT member_id FROM session WHERE shard = $1 AND token_hash = $2 AND expires_at > now())`

/** A statement of a session as a function of its values from $3 on. @returns its row; undefined: no live session */
export function sessionRow<Row, Values extends readonly unknown[]>(name: string, text: string) {
  const row = rowOf<Row, readonly [number, Buffer, ...Values]>(name, text)
  const run = (db: Queryable, { shard, hash }: SessionKey, ...values: Values) =>
    row(db, shard, hash, ...values)
  return Object.assign(run, { statement: row.statement })
}

/** SQL: the shard of a member's id; as `shardOf` in rules/shard.ts. */
export const shardSql = (memberId: string): string => `(${memberId} % ${SHARDS})::smallint`
