import type { TakeCodeBody } from '@anniversary/shared/contract/wire'
import { afterAll, afterEach } from '@jest/globals'
import { type AppOptions, buildApp } from '../src/app.ts'
import { storeCompletions } from '../src/backoffice/complete.ts'
import type { ActivityEvent } from '../src/backoffice/contract.ts'
import { ingestActivity } from '../src/backoffice/ingest.ts'
import { namedStatement, type Queryable } from '../src/database/database.ts'
import { addDrawResults, type DrawResult } from '../src/draws/import-draw.ts'
import { newMember, saveMembers } from '../src/login/members.ts'
import { syncMissions } from '../src/missions/mission-list.ts'
import { applyCorrection, type Correction } from '../src/operator/apply-correction.ts'
import { withoutCommits } from '../src/operator/import-file.ts'
import { memberReport } from '../src/operator/member-report.ts'
import { verifyInvariants } from '../src/operator/verify.ts'
import { readConfiguration } from '../src/server/config.ts'
import { LIMITS, type Limits } from '../src/server/lane.ts'
import { loggerOptions } from '../src/server/observe.ts'
import { loginKeys } from '../src/server/pepper.ts'
import { type Call, callerOf } from './caller.ts'
import { locksOf, newDatabase } from './database.ts'

export const SERVICE_KEY = 'service-key-of-the-tests'
export const REPORTS_KEY = 'reports-key-of-the-tests'
export const LINKS = [1, 2, 3, 4].map((n) => `https://www.facebook.com/posts/${n}`)

/** `undo-draw` of `undoDrawResult`. */
const operatorOf = ({ name }: { readonly name: string }) => ({
  who: 'an',
  what: name
    .replace(/(Result|Member|Tickets?|Event)$/, '')
    .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  why: 'two accounts',
})

export type TestApi = Awaited<ReturnType<typeof startTestApi>>

let serial = 0

const START = new Date('2025-08-20T20:00:00+07:00')
const FIRST_DRAW = new Date('2025-09-09T20:00:00+07:00')
let now = START
afterEach(() => {
  now = START
})
/** As the back office does. */
export function completeMission(
  tx: Queryable,
  username: string,
  mission = 'NAP_300',
  tickets?: number,
) {
  const completed_at = now.toISOString()
  return storeCompletions(tx, [{ username, event_code_detail: mission, completed_at, tickets }])
}

const opened = new Set<() => Promise<void>>()
afterAll(async () => {
  for (const close of opened) await close()
})

/** A busy machine is slow. */
const PATIENT = { ...LIMITS, deadlineSeconds: 600, longestWaitSeconds: 600, holdSeconds: 0 }

interface TestOptions extends Partial<Omit<AppOptions, 'limits'>> {
  readonly limits?: Partial<Limits>
  readonly env?: Record<string, string>
  readonly url?: string
}

/**
 * In stage 1, on a free port, closed after the file's tests. Fastify's `inject`
 * needs a module that Jest cannot load.
 */
export async function startTestApi(options: TestOptions = {}) {
  const database = options.database ?? (await newDatabase(options.url))
  const keys = loginKeys('pepper-of-the-tests')
  const config = readConfiguration({ BACKOFFICE_KEY: SERVICE_KEY, REPORTS_KEY, ...options.env })
  await syncMissions(database)
  const app = await buildApp({
    now: () => now,
    loginKeys: keys,
    // The answer does not have the cause of a 5xx.
    logger: loggerOptions('error'),
    ...options,
    limits: { ...PATIENT, ...options.limits },
    config,
    database,
  })

  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const call = callerOf(origin)

  const close = async () => {
    opened.delete(close)
    // A call may be held for longer than the tests take.
    app.server.closeAllConnections()
    await app.close()
    if (!options.database) await database.close()
  }
  opened.add(close)

  const list = (token: string) => call({ url: '/api/client/info', token })

  const sql = <Row>(text: string, values?: readonly unknown[]) =>
    database.query<Row>(namedStatement(text), values)

  /** Bank digits are 1234. */
  const addMember = async ({
    account: name = `member${++serial}`,
    addressRequired = false,
  } = {}) => {
    await saveMembers(database, [newMember(keys, name, '1234', addressRequired)])
    return name
  }

  const send = (events: readonly ActivityEvent[]) =>
    database.transaction((tx) => ingestActivity(tx, events, now, 'test'))

  const login = (username: string, lastBankNumber = '1234', more: Partial<Call> = {}) =>
    call({
      url: '/api/client/login',
      payload: { site: config.site, username, lastBankNumber },
      ...more,
    })

  const addSession = async (member: { account?: string } = {}) => {
    const account = await addMember(member)
    const { body } = await login(account)
    if (!body.data?.sign) throw new Error(`no session: ${JSON.stringify(body)}`)
    return { account, token: String(body.data.sign) }
  }

  const claim = (token: string, mission: string, more: Partial<TakeCodeBody> = {}) =>
    call({
      url: `/api/client/take-code?event_code_detail=${mission}`,
      token,
      payload: { event_code_detail: mission, ...more },
    })

  /** At noon: `['2025-08-11', 'deposit', 300]`. Returns the refs. */
  const act = async (
    username: string,
    ...lines: [day: string, kind: 'deposit' | 'bet', amount: number][]
  ) => {
    const event = (day: string) => ({
      source: 'test',
      ref: `t${++serial}`,
      username,
      occurred_at: `${day}T12:00:00+07:00`,
    })
    const events = lines.map(([day, kind, amount]) => ({ ...event(day), kind, amount }))
    await send(events)
    return events.map(({ ref }) => ref)
  }

  return {
    origin,
    database,
    config,
    loginKeys: keys,
    /** The clock stands still. For one test. */
    setNow(iso: string): void {
      now = new Date(iso)
    },
    now: () => now,
    call,
    addMember,
    login,
    addSession,
    claim,
    /** Has reached NAP_300. */
    async addDepositor() {
      const session = await addSession()
      await act(session.account, ['2025-08-11', 'deposit', 300])
      return session
    },
    /** Its tickets are of NAP_300 and CUOC_5000. */
    async addHolder(member: { account?: string } = {}) {
      const session = await addSession(member)
      await act(session.account, ['2025-08-11', 'deposit', 300], ['2025-08-11', 'bet', 5000])
      const codes: string[] = []
      for (const mission of ['NAP_300', 'CUOC_5000'])
        codes.push((await claim(session.token, mission)).body.data[0])
      return { ...session, codes: codes as [string, string] } // one of each
    },
    win: (code: string, { draw = 1, giftcode = `G-${code}` }: Partial<DrawResult> = {}) =>
      addDrawResults(database, [{ code, draw, prize: '999K', giftcode }]),
    list,
    history: async (token: string) => (await call({ url: '/api/client/history', token })).body.data,
    draws: async () => (await call({ url: '/api/client/draws' })).body,
    metrics: async (): Promise<string> => (await call({ url: '/metrics', key: REPORTS_KEY })).body,
    /** Returns the states of the missions, such as '003002'. */
    async states(token: string): Promise<string> {
      const { body } = await list(token)
      return body.data.map((mission: { claimed: number }) => mission.claimed).join('')
    },
    /** Exchanges at the begin of the first draw, unless that is over. */
    async trade(token: string) {
      const before = now
      if (now < FIRST_DRAW) now = FIRST_DRAW
      const url = '/api/client/lottery/trade-giftcode'
      const answer = await call({ method: 'POST', url, token })
      now = before
      return answer
    },
    check: (by: string, value: string, site = config.site) =>
      call({ url: '/api/client/check', payload: { site, by, value } }),
    act,
    send,
    reverse: (username: string, refs: readonly string[]) =>
      send(
        refs.map((reverses) => ({
          source: 'test',
          ref: `back ${reverses}`,
          username,
          kind: 'reversal',
          reverses,
          occurred_at: now.toISOString(),
        })),
      ),
    complete: (...completion: [username: string, mission?: string, tickets?: number]) =>
      database.transaction((tx) => completeMission(tx, ...completion)),
    async needsReview(account: string, mission = '') {
      const lines = await memberReport(database, account)
      return lines.some((line) => line.includes(mission) && line.includes('FOR REVIEW'))
    },
    correct: (correction: Correction, ...args: string[]) =>
      applyCorrection(
        database,
        (tx) => correction(tx, args, now, async () => keys, 'an'),
        operatorOf(correction),
      ),
    isSound: () => verifyInvariants(database, () => undefined),
    sql,
    ...locksOf(database),
    /** Invariants that the statements would break. */
    brokenBy: (...statements: readonly string[]) =>
      withoutCommits(database).transaction(async (tx) => {
        for (const text of statements) await tx.query(namedStatement(text))
        const broken: string[] = []
        await verifyInvariants({ ...database, transaction: (work) => work(tx) }, (finding) => {
          if (finding.broken > 0) broken.push(finding.invariant)
        })
        return broken
      }),
    close,
  }
}
