-- Up Migration

-- What operators changed. Append-only, which the trigger holds against everybody but the owner of the schema.
CREATE TABLE audit (
  -- Not a number: the rows of a restored backup join those that are there.
  id      uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  who     text NOT NULL,
  -- The command.
  what    text NOT NULL,
  -- An account's key, a ticket code or a file.
  subject text NOT NULL,
  why     text,
  detail  jsonb NOT NULL
);
CREATE INDEX audit_at ON audit (at);

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'the audit is append-only'; END $$;
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

-- The rules cancel all prizes of a member with a second account.
ALTER TABLE member ADD COLUMN banned_at timestamptz;
-- A void ticket keeps its slot and its row, and takes part in nothing.
ALTER TABLE ticket ADD COLUMN voided_at timestamptz;

-- A reversal that was a mistake: its row stays, so that its sender's repetition changes nothing, and counts no more.
ALTER TABLE activity ADD COLUMN undone_at timestamptz;
DROP INDEX activity_reversal;
CREATE UNIQUE INDEX activity_reversal ON activity (source, reverses, member_id, shard)
  WHERE reverses IS NOT NULL AND undone_at IS NULL;

-- Why claims were refused, for the member who asks.
CREATE TABLE claim_refusal (
  member_id bigint NOT NULL REFERENCES member,
  shard     smallint NOT NULL CONSTRAINT claim_refusal_shard CHECK (shard = member_id % 1024),
  stage     smallint NOT NULL,
  mission   text NOT NULL,
  reason    text NOT NULL,
  times     integer NOT NULL,
  last_at   timestamptz NOT NULL,
  PRIMARY KEY (member_id, stage, mission, reason, shard)
);

-- A hash of bank digits begins with its pepper's fingerprint, so that a pepper can be replaced member by member.
UPDATE member SET bank_hash = decode(s.value, 'hex') || bank_hash FROM setting s WHERE s.key = 'pepper';
