-- Up Migration

-- Sums of the ledger by member and stage, kept as events arrive: counting a member's whole history for every event
-- made an import ever slower. Reversals recount; `event verify` compares.
CREATE TABLE stage_activity (
  member_id     bigint NOT NULL REFERENCES member,
  stage         smallint NOT NULL CHECK (stage BETWEEN 1 AND 3),
  deposit_total numeric(20, 2) NOT NULL,
  bet_total     numeric(20, 2) NOT NULL,
  deposits      integer NOT NULL,
  PRIMARY KEY (member_id, stage)
);

INSERT INTO stage_activity (member_id, stage, deposit_total, bet_total, deposits)
SELECT a.member_id, s.stage,
  coalesce(sum(a.amount) FILTER (WHERE a.kind = 'deposit'), 0),
  coalesce(sum(a.amount) FILTER (WHERE a.kind = 'bet'), 0),
  count(*) FILTER (WHERE a.kind = 'deposit')
FROM (VALUES (1, date '2025-08-01', date '2025-09-06'),
             (2, date '2025-09-10', date '2025-09-18'),
             (3, date '2025-09-20', date '2025-09-28')) AS s (stage, first_day, last_day)
JOIN activity a ON a.day BETWEEN s.first_day AND s.last_day
WHERE a.kind <> 'reversal' AND NOT EXISTS (
  SELECT FROM activity r WHERE r.source = a.source AND r.reverses = a.ref AND r.member_id = a.member_id)
GROUP BY a.member_id, s.stage;
