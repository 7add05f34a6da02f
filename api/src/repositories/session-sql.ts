import { SHARDS } from '../rules/shard.ts'

/**
 * The member of the session in shard $1 with token hash $2. Every member's statement begins with it, so that a call is
 * one round trip; and it names the shard for each of its tables, so that it touches one partition or server.
 */
export const ME = `me AS (SELECT member_id FROM session WHERE shard = $1 AND token_hash = $2 AND expires_at > now())`

/** SQL: the shard of a member's id; as `shardOf` in rules/shard.ts. */
export const shardSql = (memberId: string): string => `(${memberId} % ${SHARDS})::smallint`
