// Who exports these publishes to a real site, runs a real API, or is in a hook of git: tests must not.
const REAL =
  `NODE_ENV HOST PORT DATABASE_URL DATA_DIR LOGIN_PEPPER BACKOFFICE_KEY REPORTS_KEY DESK_ACCESS DESK_PORT
  CONTROL_PORT DEMO EVENT_NOW SESSION_HOURS DRAIN_SECONDS TRUST_PROXY LOG_LEVEL SITE SITE_DIR SHARE_HOST API_BASE
  EVENT_URL LIVE_URL MEGALIVE_URL REGISTER_URL SUPPORT_URL REPORT_URL REPORT_SAMPLE REPORTS_SITE`.split(
    /\s+/,
  )
for (const name of Object.keys(process.env))
  if (
    /^(DEPLOY_(?!ROUNDS$)|PG|GIT_(DIR|WORK_TREE|INDEX_FILE)$)/.test(name) ||
    REAL.includes(name.replace(/_FILE$/, ''))
  )
    delete process.env[name]

export {}
