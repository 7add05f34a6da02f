import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '@anniversary/shared/error-code'
import type { ApiConfig } from './config.ts'
import { type Database, statement } from './database/database.ts'
import { pepperFingerprint } from './rules/credentials.ts'
import { StartupError } from './startup-error.ts'

/** The configured pepper, or one that is generated once and kept in the data folder. */
export function loadPepper(config: ApiConfig): string {
  if (config.loginPepper) return config.loginPepper
  const file = join(config.dataDir, 'login-pepper')
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { flag: 'wx', mode: 0o600, flush: true })
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8').trim()
}

const remember = statement(
  'pepper-remember',
  `INSERT INTO setting (key, value) VALUES ('pepper', $1) ON CONFLICT (key) DO UPDATE SET value = setting.value
   RETURNING value`,
)

/**
 * The first start writes the pepper's fingerprint into the database; later ones compare it. With another pepper every
 * login would fail as wrong.
 * @throws StartupError when it is another one
 */
export async function checkPepper(database: Database, pepper: string): Promise<void> {
  const rows = await database.query<{ value: string }>(remember, [pepperFingerprint(pepper)])
  if (rows[0]?.value !== pepperFingerprint(pepper)) {
    throw new StartupError(
      'this database was filled with another LOGIN_PEPPER; set the one it was filled with',
    )
  }
}
