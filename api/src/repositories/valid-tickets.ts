/** SQL: the tickets that take part in draws and prizes: not void, and of members who are not banned. */
export const VALID_TICKETS = `(SELECT t.* FROM ticket t JOIN member m ON m.id = t.member_id
  WHERE t.voided_at IS NULL AND m.banned_at IS NULL)`
