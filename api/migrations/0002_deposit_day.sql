-- Up Migration

-- Counted deposits of a member on each day of a stage, kept as events arrive, so that a list need not read the ledger.
-- The server fills it in the background (api/src/backoffice/deposit-days.ts); until then lists read the ledger.
-- No foreign key, since its check would take a fifth of a batch: each row comes from a row of activity, which has one.
-- No CHECK (deposits >= 0), since an upsert that subtracts proposes a negative row.
CREATE TABLE deposit_day (
  member_id bigint NOT NULL,
  stage     smallint NOT NULL,
  day       date NOT NULL,
  deposits  integer NOT NULL,
  PRIMARY KEY (member_id, stage, day)
-- Room for updates within the page.
) WITH (fillfactor = 80);
