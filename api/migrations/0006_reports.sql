-- Up Migration

-- What pages measured, by hour: how often a value fell into a bucket (shared/src/contract/figures.ts). `views`,
-- `failed` and `threw` are counts: they have the bucket 0 only.
CREATE TABLE view_histogram (
  remote  text NOT NULL,
  version text NOT NULL,
  hour    timestamptz NOT NULL,
  route   text NOT NULL,
  measure text NOT NULL,
  bucket  smallint NOT NULL,
  count   bigint NOT NULL,
  PRIMARY KEY (remote, version, hour, route, measure, bucket)
);
CREATE INDEX view_histogram_age ON view_histogram (hour);

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
