import type { ActivityEvent } from '../backoffice/contract.ts'

export const demoMembers = [
  { account: 'demo01', digits: '1234', addressRequired: false },
  { account: 'demo02', digits: '0042', addressRequired: true },
  { account: 'demo03', digits: '9999', addressRequired: false },
] as const

type Line = readonly [day: string, kind: 'deposit' | 'bet', amount: number]

/** demo01: five days in a row, ten deposits, far from 15,000. */
const demo01: readonly Line[] = [
  ['2025-08-04', 'deposit', 100],
  ['2025-08-06', 'deposit', 50],
  ['2025-08-06', 'bet', 1200],
  ['2025-08-11', 'deposit', 200],
  ['2025-08-11', 'bet', 900],
  ['2025-08-12', 'deposit', 100],
  ['2025-08-12', 'deposit', 150],
  ['2025-08-13', 'deposit', 100],
  ['2025-08-13', 'bet', 1500],
  ['2025-08-14', 'deposit', 300],
  ['2025-08-15', 'deposit', 100],
  ['2025-08-15', 'bet', 2000],
  ['2025-08-18', 'deposit', 250],
  ['2025-08-19', 'deposit', 100],
]

/** demo02: below every threshold, never five days in a row. */
const demo02: readonly Line[] = [
  ['2025-08-03', 'deposit', 50],
  ['2025-08-04', 'deposit', 50],
  ['2025-08-09', 'deposit', 100],
  ['2025-08-10', 'bet', 180],
]

/** demo03: everything. */
const demo03: readonly Line[] = [
  ...['02', '03', '04', '05', '06', '07', '08', '09', '10', '11'].map(
    (day): Line => [`2025-08-${day}`, 'deposit', 1600],
  ),
  ['2025-08-05', 'bet', 4000],
  ['2025-08-09', 'bet', 4500],
]

const events = (username: string, lines: readonly Line[]): ActivityEvent[] =>
  lines.map(([day, kind, amount], i) => ({
    source: 'demo',
    ref: `${username}-${i + 1}`,
    username,
    kind,
    amount,
    occurred_at: `${day}T${String(9 + (i % 12)).padStart(2, '0')}:15:00+07:00`,
  }))

export const demoActivity: readonly ActivityEvent[] = [
  ...events('demo01', demo01),
  ...events('demo02', demo02),
  ...events('demo03', demo03),
]

/** When demo03 claimed what, in stage 1. */
export const demoClaims = [
  { mission: 'NAP_300', at: '2025-08-02T20:04:11+07:00' },
  { mission: 'CUOC_5000', at: '2025-08-09T21:30:45+07:00' },
  {
    mission: 'NAP_STREAK',
    at: '2025-08-10T08:12:30+07:00',
    streak: { start: '2025-08-02', end: '2025-08-06' },
  },
  { mission: 'NAP_15000', at: '2025-08-11T22:41:09+07:00' },
  { mission: 'NAP_10LAN', at: '2025-08-11T22:41:58+07:00' },
  {
    mission: 'CHIASE',
    at: '2025-08-12T19:20:00+07:00',
    links: [1, 2, 3, 4].map((n) => `https://www.facebook.com/groups/kyniem/posts/10000${n}`),
  },
] as const

/** demo03's exchanges: one for each of these missions' tickets. */
export const demoTrades = [
  { mission: 'NAP_300', giftcode: '999K-DEMO-0001', at: '2025-08-16T20:30:00+07:00' },
  { mission: 'CUOC_5000', giftcode: '999K-DEMO-0002', at: '2025-08-17T21:05:00+07:00' },
] as const
