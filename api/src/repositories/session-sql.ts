/** The member of token hash $1. Every member's statement begins with it, so that a call is one round trip. */
export const ME = `me AS (SELECT member_id FROM session WHERE token_hash = $1 AND expires_at > now())`
