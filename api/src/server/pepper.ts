import { hkdfSync } from 'node:crypto'
import { type Queryable, rowOf } from '../database/database.ts'
import { StartupError } from '../startup-error.ts'

/** Name of a file in DATA_DIR. */
export const DEMO_PEPPER = 'login-pepper'

/** Each key has its own label, so that none reveals another. */
export interface LoginKeys {
  readonly digits: Buffer
  readonly devices: Buffer
  readonly forgotten: Buffer
  readonly fingerprint: string
}

export function loginKeys(pepper: string): LoginKeys {
  const derive = (label: string) => Buffer.from(hkdfSync('sha256', pepper, '', label, 32))
  return {
    digits: derive('bank digits'),
    devices: derive('known devices'),
    forgotten: derive('forgotten accounts'),
    fingerprint: derive('fingerprint').toString('hex', 0, 8),
  }
}

interface Stored {
  readonly fingerprint: string
}
const remember = rowOf<Stored, [fingerprint: string]>(
  `INSERT INTO setting (key, value) VALUES ('pepper', $1)
   ON CONFLICT (key) DO UPDATE SET value = setting.value RETURNING value AS fingerprint`,
)
const read = rowOf<Stored, []>(`SELECT value AS fingerprint FROM setting WHERE key = 'pepper'`)

function checkedKeys(pepper: string | undefined): LoginKeys {
  if (pepper === undefined) throw new StartupError('LOGIN_PEPPER or LOGIN_PEPPER_FILE is required')
  return loginKeys(pepper)
}

function compare(keys: LoginKeys, stored: Stored | undefined): LoginKeys {
  if (stored?.fingerprint === keys.fingerprint) return keys
  throw new StartupError(
    'this database was filled with another LOGIN_PEPPER; set the one it was filled with',
  )
}

/**
 * The first server stores the pepper's fingerprint: with another pepper every
 * login would fail as wrong.
 * @throws StartupError when the pepper is missing or differs
 */
export async function openLoginKeys(
  database: Queryable,
  pepper: string | undefined,
): Promise<LoginKeys> {
  const keys = checkedKeys(pepper)
  return compare(keys, await remember(database, keys.fingerprint))
}

/** Stores nothing. @throws StartupError */
export async function readLoginKeys(
  database: Queryable,
  pepper: string | undefined,
): Promise<LoginKeys> {
  const keys = checkedKeys(pepper)
  const stored = await read(database)
  if (!stored)
    throw new StartupError('no server has used this database yet; start the API once, then repeat')
  return compare(keys, stored)
}
