-- Up Migration

CREATE TABLE setting (
  key   text PRIMARY KEY,
  value text NOT NULL
);

-- Times leave the database in the event's own zone, so that a reader needs no conversion.
CREATE FUNCTION event_time(at timestamptz) RETURNS text LANGUAGE sql STABLE RETURN
  to_char(at AT TIME ZONE 'Asia/Ho_Chi_Minh', 'YYYY-MM-DD"T"HH24:MI:SS"+07:00"');

CREATE TABLE member (
  id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- As shown; account_key is what is compared (NFC, lower case).
  account          text NOT NULL,
  account_key      text NOT NULL UNIQUE,
  bank_hash        bytea NOT NULL,
  address_required boolean NOT NULL DEFAULT false,
  -- The rules cancel all prizes of a member with a second account.
  banned_at        timestamptz,
  created_at       timestamptz NOT NULL
);

-- Personal data, in a table of its own: only the export reads it, and it can be emptied without touching tickets.
CREATE TABLE member_address (
  member_id    bigint PRIMARY KEY REFERENCES member,
  fullname     text NOT NULL,
  phone_number text NOT NULL,
  address      text NOT NULL,
  note         text NOT NULL
);

CREATE TABLE session (
  -- SHA-256 of the token; the token itself is only with the member.
  token_hash bytea PRIMARY KEY,
  member_id  bigint NOT NULL REFERENCES member,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX session_member ON session (member_id);
CREATE INDEX session_expiry ON session (expires_at);

-- Failed logins by account, or by account and known device. A crash may lose these rows, which costs a few guesses:
-- hence unlogged, without a write to the log for every attempt.
CREATE UNLOGGED TABLE login_attempt (
  key          text PRIMARY KEY,
  attempts     integer NOT NULL,
  locked_until timestamptz,
  updated_at   timestamptz NOT NULL
);

-- Limits by address, as a GCRA: one time per key, when its bucket would be empty of debt.
CREATE UNLOGGED TABLE rate_limit (
  key text PRIMARY KEY,
  tat timestamptz NOT NULL
);
CREATE INDEX rate_limit_age ON rate_limit (tat);

-- Written from the mission rules at every start.
CREATE TABLE mission (
  code       text PRIMARY KEY,
  position   smallint NOT NULL,
  -- A JSON string in ASCII: lists hold it as it stands, and all but ASCII is slow to read and to send.
  name       json NOT NULL,
  tickets    smallint NOT NULL CHECK (tickets > 0),
  -- What the mission list shows while the mission is neither reached nor claimed: 0, 2 (share) or 3 (streak).
  open_state smallint NOT NULL CHECK (open_state IN (0, 2, 3)),
  -- What is counted towards it, and how much reaches it; the share counts nothing.
  kind       text NOT NULL,
  goal       integer
);

-- The ledger. Rows are never deleted; a correction is a row of kind 'reversal'.
CREATE TABLE activity (
  source      text NOT NULL,
  ref         text NOT NULL,
  member_id   bigint NOT NULL REFERENCES member,
  kind        text NOT NULL CHECK (kind IN ('deposit', 'bet', 'reversal')),
  amount      numeric(18, 2) NOT NULL CHECK (amount >= 0),
  occurred_at timestamptz NOT NULL,
  day         date GENERATED ALWAYS AS ((occurred_at AT TIME ZONE 'Asia/Ho_Chi_Minh')::date) STORED,
  -- ref of the reversed row, of the same source; may arrive before it.
  reverses    text,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (source, ref),
  CHECK ((kind = 'reversal') = (reverses IS NOT NULL))
);
-- By member: a reversal that names another member's row must not keep out the right one.
CREATE UNIQUE INDEX activity_reversal ON activity (source, reverses, member_id)
  WHERE reverses IS NOT NULL;
CREATE INDEX activity_member_day ON activity (member_id, day);

-- Deposits and bets that no reversal of the same source and member has taken back.
CREATE VIEW counted_activity AS
  SELECT * FROM activity a WHERE a.kind <> 'reversal' AND NOT EXISTS (
    SELECT FROM activity r WHERE r.source = a.source AND r.reverses = a.ref AND r.member_id = a.member_id);

-- The ledger's sums by member and stage, kept as events arrive. A reversal subtracts; `event verify` recounts.
CREATE TABLE stage_activity (
  member_id     bigint NOT NULL REFERENCES member,
  stage         smallint NOT NULL CHECK (stage > 0),
  deposit_total numeric(20, 2) NOT NULL,
  bet_total     numeric(20, 2) NOT NULL,
  deposits      integer NOT NULL,
  PRIMARY KEY (member_id, stage)
);

CREATE TABLE member_mission (
  member_id    bigint NOT NULL REFERENCES member,
  stage        smallint NOT NULL CHECK (stage > 0),
  mission      text NOT NULL REFERENCES mission,
  tickets      smallint NOT NULL CHECK (tickets > 0),
  -- What reached it: the ledger (a reversal may take it back), the back office's word, or the member's proof.
  reached_by   text NOT NULL CHECK (reached_by IN ('activity', 'completed', 'proof')),
  -- NULL: was reached once, and a reversal took it back before it was claimed.
  reached_at   timestamptz,
  claimed_at   timestamptz,
  proof        jsonb,
  -- A reversal came after the claim: the ticket stays, the operator looks.
  needs_review boolean NOT NULL DEFAULT false,
  PRIMARY KEY (member_id, stage, mission)
);

-- The cap: a claim that would pass it fails as a whole.
CREATE TABLE stage_tickets (
  member_id bigint NOT NULL REFERENCES member,
  stage     smallint NOT NULL CHECK (stage > 0),
  tickets   smallint NOT NULL,
  PRIMARY KEY (member_id, stage)
);
DO $$ BEGIN
  EXECUTE format('ALTER TABLE stage_tickets ADD CONSTRAINT stage_cap CHECK (tickets BETWEEN 0 AND %s)',
    current_setting('event.tickets_per_stage'));
END $$;

CREATE TABLE ticket (
  member_id  bigint NOT NULL,
  stage      smallint NOT NULL,
  slot       smallint NOT NULL CHECK (slot > 0),
  mission    text NOT NULL,
  code       text NOT NULL CONSTRAINT ticket_code UNIQUE,
  claimed_at timestamptz NOT NULL,
  -- A void ticket keeps its slot and its row, and takes part in nothing.
  voided_at  timestamptz,
  PRIMARY KEY (member_id, stage, slot),
  FOREIGN KEY (member_id, stage, mission) REFERENCES member_mission
);

-- Tickets that take part in draws and prizes.
CREATE VIEW valid_ticket AS
  SELECT t.* FROM ticket t JOIN member m ON m.id = t.member_id WHERE t.voided_at IS NULL AND m.banned_at IS NULL;

-- Why claims were refused, for the member who asks.
CREATE TABLE claim_refusal (
  member_id bigint NOT NULL REFERENCES member,
  stage     smallint NOT NULL,
  mission   text NOT NULL,
  reason    text NOT NULL,
  times     integer NOT NULL,
  last_at   timestamptz NOT NULL,
  PRIMARY KEY (member_id, stage, mission, reason)
);

CREATE TABLE draw_result (
  -- A winning code cannot win again: one row a ticket.
  ticket_code text PRIMARY KEY REFERENCES ticket (code),
  draw        smallint NOT NULL CHECK (draw > 0),
  prize       text NOT NULL,
  -- NULL: a prize that customer support hands over.
  giftcode    text UNIQUE
);
-- For the last draw with results, which every history names.
CREATE INDEX draw_result_draw ON draw_result (draw);

CREATE TABLE giftcode_trade (
  ticket_code text PRIMARY KEY REFERENCES draw_result,
  member_id   bigint NOT NULL REFERENCES member,
  traded_at   timestamptz NOT NULL
);
CREATE INDEX giftcode_trade_member ON giftcode_trade (member_id);

-- What operators changed. Append-only: the trigger stops everybody but this table's owner, who could drop it, and a
-- superuser; so the API's role should be neither (docs/operate/event.md).
CREATE TABLE audit (
  id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  who     text NOT NULL,
  what    text NOT NULL,
  member_id bigint REFERENCES member,
  subject text NOT NULL,
  why     text,
  detail  jsonb NOT NULL
);

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'the audit is append-only'; END $$;
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

-- Views that pages reported, by hour, and how many of them had each fact (shared/src/contract/report.ts).
CREATE TABLE view_count (
  remote        text NOT NULL,
  version       text NOT NULL,
  hour          timestamptz NOT NULL,
  route         text NOT NULL,
  views         bigint NOT NULL,
  threw         bigint NOT NULL,
  failed        bigint NOT NULL,
  painted_late  bigint NOT NULL,
  answered_late bigint NOT NULL,
  PRIMARY KEY (remote, version, hour, route)
);
CREATE INDEX view_count_age ON view_count (hour);

-- Errors of remotes' code, each once, however often it came.
CREATE TABLE remote_error (
  -- Hash of what makes it this error: phase, message and stack.
  id       text NOT NULL,
  remote   text NOT NULL,
  version  text NOT NULL,
  phase    text NOT NULL,
  message  text NOT NULL,
  stack    text NOT NULL,
  route    text NOT NULL,
  count    bigint NOT NULL,
  first_at timestamptz NOT NULL,
  last_at  timestamptz NOT NULL,
  PRIMARY KEY (remote, version, id)
);
CREATE INDEX remote_error_age ON remote_error (last_at);
