-- Up Migration

-- A draw's list from its freeze on. Its file is the head, then a line for each code of draw_entry.
CREATE TABLE draw_list (
  draw      smallint PRIMARY KEY CHECK (draw > 0),
  frozen_at timestamptz NOT NULL,
  count     integer NOT NULL,
  -- Of the file.
  sha256    text NOT NULL,
  head      text NOT NULL
);

-- Codes in the order of their bytes. Without foreign keys, which would cost most of a freeze; `event verify` checks both.
CREATE TABLE draw_entry (
  draw     smallint NOT NULL,
  position integer NOT NULL,
  code     text NOT NULL,
  PRIMARY KEY (draw, position)
);
CREATE UNIQUE INDEX draw_entry_code ON draw_entry (code, draw);

-- Codes that a freeze left out. With the entries they are all tickets of the draw's stages.
CREATE TABLE draw_exclusion (
  draw   smallint NOT NULL,
  code   text NOT NULL,
  reason text NOT NULL,
  PRIMARY KEY (draw, code)
);

-- Prizes that customer support has handed over.
CREATE TABLE delivery (
  ticket_code  text PRIMARY KEY REFERENCES draw_result,
  delivered_at timestamptz NOT NULL
);

-- Written by the version before, which counted right logins. Nothing reads it.
CREATE TABLE login_day (
  day       date NOT NULL,
  member_id bigint NOT NULL REFERENCES member,
  logins    integer NOT NULL,
  PRIMARY KEY (day, member_id)
);

-- What brought the lines of the ledger that were received at a time: an import, or a key of the back office.
CREATE TABLE activity_batch (
  received_at timestamptz NOT NULL,
  brought_by  text NOT NULL
);
CREATE INDEX activity_batch_received ON activity_batch (received_at);

-- For what an operator took back, which a repeated import must not restore.
CREATE INDEX audit_subject ON audit (subject) WHERE subject <> '';
CREATE INDEX audit_member ON audit (member_id) WHERE member_id IS NOT NULL;
