/** The member of token hash $1, while the session lives. Every member statement begins with it: one round trip. */
export const ME = `me AS (SELECT member_id FROM session WHERE token_hash = $1 AND expires_at > now())`
