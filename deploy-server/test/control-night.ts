import { requireSiteRecord, type SiteRecord } from '@anniversary/deploy/site/record'
import { publicConfigSchema } from '@anniversary/shared/contract/config'
import { fakeRelease, fakeRemote } from '@anniversary/shared/testing/fake-release'
import type { ControlState } from '../src/control/state.ts'
import type { VersionViews } from '../src/reports/page-views.ts'

/** A night with a bad canary. */

const NIGHT = '2025-08-21T03:04:00+07:00'
const before = (hours: number) => new Date(Date.parse(NIGHT) - hours * 3_600_000).toISOString()

const AUTH = '1.1.0-93ab11c2de40'
const EARLIER = '1.4.1-aa90be11c073'
const CURRENT = '1.4.2-7c1fa9d03b52'
const CANARY = '1.5.0-e20b6643af91'
const HISTORY = '1.2.0-5d9e00c1b7aa'

/** @param threw of a thousand views, as `late` */
function viewsOf(
  remote: string,
  version: string,
  seen: number,
  threw: number,
  late: number,
): VersionViews {
  const share = (thousandths: number) => Math.round((seen * thousandths) / 1000)
  return {
    remote,
    version,
    seen,
    threw: share(threw),
    failed: share(2),
    paintedLate: share(late),
    answeredLate: share(30),
  }
}

const on = (version: string) => fakeRemote({ current: fakeRelease(version) })
const remotes: SiteRecord['remotes'] = {
  'mf-missions': { ...on(CURRENT), canary: { percent: 25, release: fakeRelease(CANARY) } },
  'mf-auth': on(AUTH),
  'mf-history': { ...on(HISTORY), status: 'off' },
}

/** Of earlier records, the page shows the change alone. */
const steps: [hoursAgo: number, by: string, verb: string, summary: string][] = [
  [90, 'hoa@history', 'publish', 'the first release'],
  [30, 'hoa@history', 'publish', `mf-history ${HISTORY}`],
  [19, 'minh@missions', 'publish', `mf-missions ${EARLIER} → ${CURRENT}`],
  [5, 'minh@missions', 'canary', `mf-missions canary ${CANARY} for 5 %`],
  [2, 'minh@missions', 'canary', `mf-missions canary ${CANARY} for 25 %`],
  [0.4, 'thu@on-call', 'disable', 'mf-history off'],
]
const records = steps.map(
  ([hoursAgo, by, verb, summary], n): SiteRecord => ({
    number: 37 + n,
    createdAt: before(hoursAgo),
    shell: { version: '2.0.1-0b7e3f5521cd', contract: '1.0' },
    remotes,
    config: publicConfigSchema.parse({}),
    change: { by, verb, summary, packages: ['mf-history'] },
  }),
)
const live = requireSiteRecord(records.at(-1) ?? null)

export const controlNight: ControlState = {
  site: 's3://event-site',
  at: NIGHT,
  live,
  records: records.toReversed(),
  warnings: [],
  rollbacks: { answer: ['shell', ...Object.keys(live.remotes)] },
  views: {
    answer: [
      viewsOf('mf-missions', CURRENT, 18_412, 6, 90),
      viewsOf('mf-missions', CANARY, 1204, 41, 160),
      viewsOf('mf-missions', EARLIER, 5110, 8, 100),
      viewsOf('mf-auth', AUTH, 9120, 2, 40),
    ],
  },
  alerts: {
    answer: [
      {
        name: 'CanaryThrows',
        remote: 'mf-missions',
        version: CANARY,
        summary: 'throws in 4.1 % of its views, the current release in 0.6 %',
      },
    ],
  },
  errors: {
    answer: [
      {
        remote: 'mf-missions',
        phase: 'error',
        message: 'Cannot read properties of undefined (reading ‘stage’)',
        count: 49,
        firstAt: before(4.6),
        lastAt: before(0.05),
        versions: [CANARY],
        routes: ['/home'],
        places: [{ file: 'mf-missions/src/store/home-store.ts', line: 118, column: 21 }],
      },
    ],
  },
}
