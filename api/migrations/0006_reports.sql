-- Up Migration

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
  -- Where it came first.
  route    text NOT NULL,
  count    bigint NOT NULL,
  first_at timestamptz NOT NULL,
  last_at  timestamptz NOT NULL,
  PRIMARY KEY (remote, version, id)
);
CREATE INDEX remote_error_age ON remote_error (last_at);
