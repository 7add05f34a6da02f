import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ApiConfig } from './config.ts'
import { type Queryable, rowOf } from './database/database.ts'
import { type Peppers, pepperFingerprint, peppersFrom } from './rules/credentials.ts'
import { StartupError } from './startup-error.ts'

const fileOf = (config: ApiConfig) => join(config.dataDir, 'login-pepper')
const newPepper = () => randomBytes(32).toString('hex')

/**
 * The configured peppers, or those of the data folder: a line each, of which the first is generated once.
 * @throws StartupError when the folder cannot be used
 */
export function loadPeppers(config: ApiConfig): Peppers {
  if (config.loginPeppers) return config.loginPeppers
  try {
    return loadFile(config)
  } catch (error) {
    throw new StartupError(
      `the data folder ${config.dataDir} cannot hold the login pepper; set LOGIN_PEPPER: ${String(error)}`,
      { cause: error },
    )
  }
}

function loadFile(config: ApiConfig): Peppers {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(fileOf(config), `${newPepper()}\n`, { flag: 'wx', mode: 0o600, flush: true })
  } catch (error) {
    // A read-only folder may have one.
    if (!existsSync(fileOf(config))) throw error
  }
  return peppersFrom(readFileSync(fileOf(config), 'utf8').trim().split('\n'))
}

/** Replaces the peppers of the data folder. */
export function savePeppers(config: ApiConfig, peppers: Peppers): void {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const unfinished = `${fileOf(config)}.unfinished`
  writeFileSync(unfinished, peppers.map((pepper) => `${pepper}\n`).join(''), { mode: 0o600, flush: true })
  renameSync(unfinished, fileOf(config))
}

const remember = rowOf<never, [current: string]>(
  'pepper-remember',
  `INSERT INTO setting (key, value) VALUES ('pepper', $1) ON CONFLICT DO NOTHING`,
)
const readSettings = rowOf<{ current: string; former: string | null }, []>(
  'pepper-read',
  `SELECT (SELECT value FROM setting WHERE key = 'pepper') AS current,
     (SELECT value FROM setting WHERE key = 'former-pepper') AS former`,
)
const saveSettings = rowOf<never, [current: string, former: string | null]>(
  'pepper-save',
  `WITH gone AS (DELETE FROM setting WHERE key = 'former-pepper' AND $2::text IS NULL)
   INSERT INTO setting (key, value)
   SELECT * FROM (VALUES ('pepper', $1::text), ('former-pepper', $2)) AS v (key, value) WHERE value IS NOT NULL
   ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
)
const countOthers = rowOf<{ n: number }, [fingerprints: string[]]>(
  'pepper-count-others',
  `SELECT count(*)::int AS n FROM member WHERE encode(substr(bank_hash, 1, 8), 'hex') <> ALL($1::text[])`,
)

/** Number of members whose hash none of these peppers has made. */
export const countUnknownHashes = async (db: Queryable, peppers: readonly string[]): Promise<number> =>
  (await countOthers(db, peppers.map(pepperFingerprint)))?.n ?? 0

/**
 * Compares the peppers with the fingerprint that the first start wrote into the database: with another one every login
 * would fail as wrong. A new pepper before the known one begins a rotation; it ends when the former one is left out,
 * which is refused as long as it has made any member's hash.
 * @throws StartupError
 */
export async function checkPeppers(db: Queryable, peppers: Peppers): Promise<void> {
  const given = peppers.map(pepperFingerprint)
  const [current = '', former = null] = given
  await remember(db, current)
  const known = await readSettings(db)
  if (!known || !given.includes(known.current))
    throw new StartupError(
      'this database was filled with another LOGIN_PEPPER; set the one it was filled with',
    )
  const isLeftOut = known.former !== null && !given.includes(known.former)
  const others = isLeftOut ? await countUnknownHashes(db, peppers) : 0
  if (others > 0)
    throw new StartupError(
      `LOGIN_PEPPER was replaced, and members have not logged in since: ${others}; keep the former one behind the new one, or import them again`,
    )
  if (known.current !== current || known.former !== former) await saveSettings(db, current, former)
}

/**
 * Puts a new pepper before the generated one. A member is hashed anew at the next login or import.
 * @throws Error while a rotation is under way, or when the peppers are not ours to change
 */
export async function rotatePepper(db: Queryable, config: ApiConfig): Promise<void> {
  if (config.loginPeppers)
    throw new Error(
      'LOGIN_PEPPER is set: put the new pepper before it, LOGIN_PEPPER=NEW,OLD, and restart the server',
    )
  const [current] = loadPeppers(config)
  const others = await countUnknownHashes(db, [current])
  if (others > 0)
    throw new Error(
      `members have not logged in since the last rotation: ${others}; wait for them, or import them again`,
    )
  savePeppers(config, [newPepper(), current])
}
