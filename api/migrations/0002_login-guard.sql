-- Up Migration

-- Failed logins by account, or by account and known device. Losing these rows in a crash costs nothing but a few
-- guesses, hence unlogged: no WAL for every attempt.
CREATE UNLOGGED TABLE login_attempt (
  key          text PRIMARY KEY,
  attempts     integer NOT NULL,
  locked_until timestamptz,
  updated_at   timestamptz NOT NULL
);
CREATE INDEX login_attempt_age ON login_attempt (updated_at);

-- Limits by address, as a GCRA: one time per key, when its bucket would be empty of debt.
CREATE UNLOGGED TABLE rate_limit (
  key text PRIMARY KEY,
  tat timestamptz NOT NULL
);
CREATE INDEX rate_limit_age ON rate_limit (tat);
