import { HOST_NAME } from '../builds/read-build.ts'
import type { SiteRecord } from '../site/record.ts'

export interface Difference {
  readonly about: string
  readonly what: string
  readonly from: string | null
  readonly to: string | null
}

export function differencesOf(a: SiteRecord, b: SiteRecord): Difference[] {
  const [before, after] = [aspectsOf(a), aspectsOf(b)]
  return Object.keys({ ...before, ...after })
    .flatMap((about) =>
      Object.keys({ ...before[about], ...after[about] }).map((what) => ({
        about,
        what,
        from: before[about]?.[what] ?? null,
        to: after[about]?.[what] ?? null,
      })),
    )
    .filter(({ from, to }) => from !== to)
}

type Aspects = Readonly<Record<string, string | undefined>>

const aspectsOf = ({ shell, remotes, config }: SiteRecord): Readonly<Record<string, Aspects>> => ({
  [HOST_NAME]: { version: shell.version },
  ...Object.fromEntries(
    Object.entries(remotes).map(([name, { current, status, previous, canary }]) => [
      name,
      {
        version: current.version,
        status,
        routes: Object.keys(current.routes ?? {}).join(', '),
        previous: previous?.version,
        canary: canary && `${canary.release.version} for ${canary.percent} %`,
      },
    ]),
  ),
  configuration: config,
})
