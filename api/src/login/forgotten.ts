import { type Queryable, rowOf, rowsOf } from '../database/database.ts'
import type { LoginKeys } from '../server/pepper.ts'
import { hashWithKey } from './credentials.ts'

/** Without the pepper it cannot be told whose the key is. */
const markOf = (keys: LoginKeys, account: string): string =>
  `forgotten ${hashWithKey(keys.forgotten, account, 'account').toString('base64url')}`

const addMark = rowOf<never, [mark: string, who: string]>(
  `INSERT INTO setting (key, value) VALUES ($1, event_time(now()) || ' by ' || $2::text)
   ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
)

const findMarks = rowsOf<{ key: string; value: string }, [marks: readonly string[]]>(
  'SELECT key, value FROM setting WHERE key = ANY($1::text[])',
)

const removeMarks = rowsOf<never, [marks: readonly string[]]>(
  'DELETE FROM setting WHERE key = ANY($1::text[])',
)

const findClosing = rowOf<{ at: string; who: string }, []>(
  "SELECT event_time(at) AS at, who FROM audit WHERE what = 'close' ORDER BY id DESC LIMIT 1",
)

/** Keeps imports from adding the account again unnoticed. */
export const markForgotten = (tx: Queryable, keys: LoginKeys, account: string, who: string) =>
  addMark(tx, markOf(keys, account), who)

export const unmarkForgotten = (tx: Queryable, keys: LoginKeys, accounts: readonly string[]) =>
  removeMarks(
    tx,
    accounts.map((account) => markOf(keys, account)),
  )

/** The function says when and by whom an account was forgotten. */
export async function forgottenAmong(tx: Queryable, keys: LoginKeys, accounts: readonly string[]) {
  const closing = await findClosing(tx)
  const marks = await findMarks(
    tx,
    accounts.map((account) => markOf(keys, account)),
  )
  const times = new Map(marks.map(({ key, value }) => [key, value]))
  return (account: string): string | undefined => {
    const at = times.get(markOf(keys, account))
    if (at !== undefined) return `was forgotten at ${at}`
    return closing && `was forgotten when ${closing.who} closed the event at ${closing.at}`
  }
}
