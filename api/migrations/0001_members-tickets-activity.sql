-- Up Migration

-- Times leave the database in the event's own zone, so that a reader needs no conversion.
CREATE FUNCTION event_time(at timestamptz) RETURNS text LANGUAGE sql STABLE RETURN
  to_char(at AT TIME ZONE 'Asia/Ho_Chi_Minh', 'YYYY-MM-DD"T"HH24:MI:SS"+07:00"');

CREATE TABLE setting (
  key   text PRIMARY KEY,
  value text NOT NULL
);

CREATE TABLE member (
  id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- As shown; account_key is what is compared (NFC, lower case).
  account          text NOT NULL,
  account_key      text NOT NULL UNIQUE,
  bank_hash        bytea NOT NULL,
  address_required boolean NOT NULL DEFAULT false,
  created_at       timestamptz NOT NULL
);

-- Personal data, in a table of its own: it is read by nobody but the export, and can be emptied without touching tickets.
CREATE TABLE member_address (
  member_id    bigint PRIMARY KEY REFERENCES member,
  fullname     text NOT NULL,
  phone_number text NOT NULL,
  address      text NOT NULL,
  note         text NOT NULL,
  saved_at     timestamptz NOT NULL
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

-- Written from the rules module at every start.
CREATE TABLE mission (
  code      text PRIMARY KEY,
  position  smallint NOT NULL,
  name      text NOT NULL,
  tickets   smallint NOT NULL CHECK (tickets BETWEEN 1 AND 6),
  -- What the mission list shows while the mission is neither reached nor claimed: 0, 2 (share) or 3 (streak).
  open_state smallint NOT NULL CHECK (open_state IN (0, 2, 3))
);

-- The ledger. Rows are never changed or deleted; a correction is a row of kind 'reversal'.
CREATE TABLE activity (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
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
  UNIQUE (source, ref),
  CHECK ((kind = 'reversal') = (reverses IS NOT NULL))
);
CREATE UNIQUE INDEX activity_reversal ON activity (source, reverses) WHERE reverses IS NOT NULL;
CREATE INDEX activity_member_day ON activity (member_id, day);

CREATE TABLE member_mission (
  member_id    bigint NOT NULL REFERENCES member,
  stage        smallint NOT NULL CHECK (stage BETWEEN 1 AND 3),
  mission      text NOT NULL REFERENCES mission,
  tickets      smallint NOT NULL CHECK (tickets BETWEEN 1 AND 6),
  -- What reached it: the ledger (may be taken back by a reversal), the back office's word, or the member's proof.
  reached_by   text NOT NULL CHECK (reached_by IN ('activity', 'completed', 'proof')),
  -- NULL: was reached once, and a reversal took it back before it was claimed.
  reached_at   timestamptz,
  claimed_at   timestamptz,
  -- The share links or the streak range that the member sent.
  proof        jsonb,
  -- A reversal came after the claim: the ticket stays, the operator looks.
  needs_review boolean NOT NULL DEFAULT false,
  PRIMARY KEY (member_id, stage, mission)
);

-- The cap: a claim that would pass it fails as a whole.
CREATE TABLE stage_tickets (
  member_id bigint NOT NULL REFERENCES member,
  stage     smallint NOT NULL CHECK (stage BETWEEN 1 AND 3),
  tickets   smallint NOT NULL CONSTRAINT stage_cap CHECK (tickets BETWEEN 0 AND 6),
  PRIMARY KEY (member_id, stage)
);

CREATE TABLE ticket (
  member_id  bigint NOT NULL,
  stage      smallint NOT NULL,
  slot       smallint NOT NULL CHECK (slot BETWEEN 1 AND 6),
  mission    text NOT NULL,
  code       text NOT NULL CONSTRAINT ticket_code UNIQUE,
  claimed_at timestamptz NOT NULL,
  PRIMARY KEY (member_id, stage, slot),
  FOREIGN KEY (member_id, stage, mission) REFERENCES member_mission
);

CREATE TABLE draw_result (
  -- A winning code cannot win again: one row a ticket.
  ticket_code text PRIMARY KEY REFERENCES ticket (code),
  draw        smallint NOT NULL CHECK (draw BETWEEN 1 AND 3),
  prize       text NOT NULL,
  -- NULL: a prize that customer support hands over.
  giftcode    text UNIQUE,
  imported_at timestamptz NOT NULL
);

CREATE TABLE giftcode_trade (
  ticket_code text PRIMARY KEY REFERENCES draw_result,
  member_id   bigint NOT NULL REFERENCES member,
  traded_at   timestamptz NOT NULL
);
CREATE INDEX giftcode_trade_member ON giftcode_trade (member_id);
