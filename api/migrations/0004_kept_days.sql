-- Up Migration

-- Days with a counted deposit, kept in the row that a list reads anyway. They take the place of the table deposit_day, which
-- a later migration drops, since processes of the version before still use it.
ALTER TABLE stage_activity
  ADD COLUMN deposit_days datemultirange NOT NULL DEFAULT '{}',
  -- The transaction of the last write that kept the days. It is the row's own, unless a version without this column, or a
  -- restore, has written the row: then lists read the ledger until the server has counted the days again
  -- (api/src/backoffice/deposit-days.ts).
  ADD COLUMN kept_by xid;
