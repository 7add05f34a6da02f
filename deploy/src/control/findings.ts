import { milliseconds, percent, shortVersion, silenceText } from '../format.ts'
import type { Measure, VersionHealth } from '../reports/version-health.ts'
import type { Action } from './actions.ts'
import type { ControlState } from './state.ts'

export const ERRORS: Measure = { title: 'Errors', unit: percent, of: (health) => health.errorRate }
export const LCP: Measure = { title: 'LCP', unit: milliseconds, of: ({ p75 }) => p75.lcp }
export const MEASURES: readonly Measure[] = [
  ERRORS,
  { title: 'Not loaded', unit: percent, of: (health) => health.failureRate },
  LCP,
  { title: 'INP', unit: milliseconds, of: ({ p75 }) => p75.inp },
]

/** What is wrong with a remote. */
export interface Alarm {
  readonly name: string
  readonly text: string
  /** The verb that would end it. */
  readonly remedy?: Action['verb']
}

export function alarmsOf({ live, plans, feel, at }: ControlState): Alarm[] {
  const alarms: Alarm[] = []
  for (const [name, { status, current, previous, canary }] of Object.entries(live.remotes)) {
    const [tested, base] = (canary ? [canary.release, current] : [current, previous]).map((release) =>
      feel.versions.find((one) => one.remote === name && one.version === release?.version),
    )
    const worse = tested && base ? MEASURES.flatMap((measure) => worseText(measure, tested, base)) : []
    const plan = plans[name]
    const silence = plan && silenceText(name, plan, new Date(at))
    if (status === 'off') alarms.push({ name, text: 'switched off' })
    if (base && worse.length > 0)
      alarms.push({
        name,
        text: `${canary ? 'the canary' : 'it'} is worse than ${shortVersion(base.version)}: ${worse.join(', ')}`,
        remedy: canary ? 'stop-canary' : 'rollback',
      })
    if (silence) alarms.push({ name, text: silence })
  }
  return alarms
}

/** Empty where the intervals of 95 % overlap. */
function worseText({ title, unit, of }: Measure, tested: VersionHealth, base: VersionHealth): string[] {
  const [a, b] = [of(tested), of(base)]
  return a && b && a.low > b.high ? [`${title} ${unit(a.value)} instead of ${unit(b.value)}`] : []
}
