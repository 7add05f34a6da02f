-- Up Migration

-- A member's rows carry his shard, which is his id modulo 1,024, in every key: they can be spread by this column over
-- partitions or servers. `member`, the small directory of accounts, stays whole. docs/decisions/0014-shards.md
-- A generated column cannot be a partition key: the expression fills the rows in one rewrite, and goes.

-- A token names its shard from now on. The database knows only the hashes of older ones: their members log in again.
TRUNCATE session;
ALTER TABLE session
  ADD COLUMN shard smallint NOT NULL CONSTRAINT session_shard CHECK (shard = member_id % 1024),
  DROP CONSTRAINT session_pkey, ADD PRIMARY KEY (token_hash, shard);

ALTER TABLE giftcode_trade DROP CONSTRAINT giftcode_trade_ticket_code_fkey;
ALTER TABLE draw_result DROP CONSTRAINT draw_result_ticket_code_fkey;
ALTER TABLE ticket DROP CONSTRAINT ticket_member_id_stage_mission_fkey;

ALTER TABLE member_address
  ADD COLUMN shard smallint NOT NULL GENERATED ALWAYS AS ((member_id % 1024)::smallint) STORED,
  DROP CONSTRAINT member_address_pkey, ADD PRIMARY KEY (member_id, shard);

-- The ledger knows an event by source, ref and member. Within a source a ref is one member's: `ingest` sees to it.
ALTER TABLE activity
  ADD COLUMN shard smallint NOT NULL GENERATED ALWAYS AS ((member_id % 1024)::smallint) STORED,
  DROP CONSTRAINT activity_pkey, DROP COLUMN id, DROP CONSTRAINT activity_source_ref_key,
  ADD PRIMARY KEY (source, ref, member_id, shard);
DROP INDEX activity_reversal;
CREATE UNIQUE INDEX activity_reversal ON activity (source, reverses, member_id, shard) WHERE reverses IS NOT NULL;

ALTER TABLE stage_activity
  ADD COLUMN shard smallint NOT NULL GENERATED ALWAYS AS ((member_id % 1024)::smallint) STORED,
  DROP CONSTRAINT stage_activity_pkey, ADD PRIMARY KEY (member_id, stage, shard);

ALTER TABLE member_mission
  ADD COLUMN shard smallint NOT NULL GENERATED ALWAYS AS ((member_id % 1024)::smallint) STORED,
  DROP CONSTRAINT member_mission_pkey, ADD PRIMARY KEY (member_id, stage, mission, shard);

ALTER TABLE stage_tickets
  ADD COLUMN shard smallint NOT NULL GENERATED ALWAYS AS ((member_id % 1024)::smallint) STORED,
  DROP CONSTRAINT stage_tickets_pkey, ADD PRIMARY KEY (member_id, stage, shard);

ALTER TABLE ticket
  ADD COLUMN shard smallint NOT NULL GENERATED ALWAYS AS ((member_id % 1024)::smallint) STORED,
  DROP CONSTRAINT ticket_pkey, ADD PRIMARY KEY (member_id, stage, slot, shard),
  DROP CONSTRAINT ticket_code, ADD CONSTRAINT ticket_code UNIQUE (code, shard),
  ADD FOREIGN KEY (member_id, stage, mission, shard) REFERENCES member_mission (member_id, stage, mission, shard);

-- A code names its shard by its first two symbols. Those given before do not.
CREATE TABLE early_code (
  code  text PRIMARY KEY,
  shard smallint NOT NULL
);
INSERT INTO early_code SELECT code, shard FROM ticket
WHERE shard <> (strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', left(code, 1)) - 1) * 32
             + strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(code, 2, 1)) - 1;

-- That a gift code belongs to one ticket, whatever its shard, the import sees to.
ALTER TABLE draw_result ADD COLUMN shard smallint;
UPDATE draw_result d SET shard = t.shard FROM ticket t WHERE t.code = d.ticket_code;
ALTER TABLE draw_result
  ALTER COLUMN shard SET NOT NULL,
  DROP CONSTRAINT draw_result_pkey, ADD PRIMARY KEY (ticket_code, shard),
  DROP CONSTRAINT draw_result_giftcode_key, ADD UNIQUE (giftcode, shard),
  ADD FOREIGN KEY (ticket_code, shard) REFERENCES ticket (code, shard);

ALTER TABLE giftcode_trade
  ADD COLUMN shard smallint NOT NULL GENERATED ALWAYS AS ((member_id % 1024)::smallint) STORED,
  DROP CONSTRAINT giftcode_trade_pkey, ADD PRIMARY KEY (ticket_code, shard),
  ADD FOREIGN KEY (ticket_code, shard) REFERENCES draw_result (ticket_code, shard);

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['member_address', 'activity', 'stage_activity', 'member_mission', 'stage_tickets', 'ticket', 'giftcode_trade'] LOOP
    EXECUTE format('ALTER TABLE %I ALTER COLUMN shard DROP EXPRESSION', name);
    EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I CHECK (shard = member_id %% 1024)', name, name || '_shard');
  END LOOP;
END $$;
