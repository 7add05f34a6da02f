import { hkdfSync, randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '@anniversary/shared/error-code'
import { errorMessage } from '@anniversary/shared/error-message'
import { type Database, rowOf } from '../database/database.ts'
import { StartupError } from '../startup-error.ts'
import { type ApiConfig, SHORTEST_PEPPER } from './config.ts'

/** What is derived from the login pepper, each by a label of its own, so that none says anything about another. */
export interface LoginKeys {
  readonly digits: Buffer
  readonly devices: Buffer
  /** Identifies the pepper without revealing it. */
  readonly fingerprint: string
}

export function loginKeys(pepper: string): LoginKeys {
  const derive = (label: string) => Buffer.from(hkdfSync('sha256', pepper, '', label, 32))
  return {
    digits: derive('bank digits'),
    devices: derive('known devices'),
    fingerprint: derive('fingerprint').toString('hex', 0, 8),
  }
}

/** The pepper of a data folder; undefined: it has none yet. */
function readPepper(file: string): string | undefined {
  let pepper: string
  try {
    pepper = readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw new StartupError(`the login pepper cannot be read: ${errorMessage(error)}`, { cause: error })
  }
  if (pepper.length >= SHORTEST_PEPPER && !/[\p{Cc}\uFFFD]/u.test(pepper)) return pepper
  throw new StartupError(
    `the login pepper in ${file} is not a line of at least ${SHORTEST_PEPPER} characters; put back the one that the members were loaded with, or remove the file if there are none`,
  )
}

function writePepper(folder: string, file: string, pepper: string): void {
  const unfinished = `${file}.unfinished`
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(unfinished, `${pepper}\n`, { mode: 0o600, flush: true })
    renameSync(unfinished, file)
    // A power cut would undo the name, and nobody could log in.
    const parent = openSync(folder, 'r')
    fsyncSync(parent)
    closeSync(parent)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw new StartupError(
      `the data folder ${folder} cannot hold the login pepper; set LOGIN_PEPPER: ${errorMessage(error)}`,
      { cause: error },
    )
  }
}

/** Stores the fingerprint where there is none. @returns the stored one */
const remember = rowOf<{ fingerprint: string }, [fingerprint: string]>(
  `INSERT INTO setting (key, value) VALUES ('pepper', $1)
   ON CONFLICT (key) DO UPDATE SET value = setting.value RETURNING value AS fingerprint`,
)

/**
 * The keys of the configured pepper, else of the one in the data folder, which the first start makes. The database keeps
 * its fingerprint: with another pepper every login would fail as wrong.
 * @throws StartupError, and has written nothing then
 */
export async function openLoginKeys(
  database: Database,
  { loginPepper, dataDir }: Pick<ApiConfig, 'loginPepper' | 'dataDir'>,
): Promise<LoginKeys> {
  const file = join(dataDir, 'login-pepper')
  const given = loginPepper ?? readPepper(file)
  const pepper = given ?? randomBytes(32).toString('hex')
  const keys = loginKeys(pepper)
  await database.transaction(async (tx) => {
    if ((await remember(tx, keys.fingerprint))?.fingerprint !== keys.fingerprint)
      throw new StartupError(
        given === undefined
          ? `this database was filled with a login pepper, and ${file} is not there; put it back, or set LOGIN_PEPPER`
          : 'this database was filled with another LOGIN_PEPPER; set the one it was filled with',
      )
    if (given === undefined) writePepper(dataDir, file, pepper)
  })
  return keys
}
