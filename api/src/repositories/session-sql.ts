/** SQL: the member of the session with token hash $1. Every member's statement begins with it: a call is one round trip. */
export const ME = 'me AS (SELECT member_id FROM session WHERE token_hash = $1 AND expires_at > now())'
