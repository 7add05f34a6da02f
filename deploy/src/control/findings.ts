import { type Counts, FACTS, type Fact } from '@anniversary/shared/contract/report'
import { HOST_NAME } from '../builds/read-build.ts'
import { planProblem } from '../canary/plan.ts'
import { aboveLimits, shareOf, shareText, TITLES } from '../facts.ts'
import { percent, shortVersion } from '../format.ts'
import { versionIn } from '../site/compose.ts'
import type { Action } from './actions.ts'
import { type ControlState, type Feel, LATELY_HOURS } from './state.ts'

export interface Alarm {
  readonly name: string
  readonly text: string
  readonly remedy?: Action['verb']
}

export function alarmsOf({ live, plans, feel, at }: ControlState): Alarm[] {
  return [HOST_NAME, ...Object.keys(live.remotes)].flatMap((name) => {
    const { status, previous, canary } = live.remotes[name] ?? {}
    if (status === 'off') return [{ name, text: 'switched off' }]
    const version = versionIn(live, name)
    const fault = faultOf(feel, name, version, previous?.version)
    const canaryFault = canary && faultOf(feel, name, canary.release.version, version)
    const plan = plans.find(({ remotes }) => remotes[name])
    const problem = plan && planProblem(plan, new Date(at))
    const alarms: (Alarm | '' | undefined)[] = [
      fault && {
        name,
        text: `it ${fault}`,
        ...(live.before[name] && !canary && { remedy: 'rollback' }),
      },
      canaryFault && { name, text: `the canary ${canaryFault}`, remedy: 'stop-canary' },
      problem && { name, text: problem },
    ]
    return alarms.flatMap((alarm) => alarm || [])
  })
}

/** What is wrong with a version, alone or against another one; empty: nothing that is beyond chance. */
function faultOf(feel: Feel, remote: string, version: string | undefined, base: string | undefined): string {
  const find = (counts: Feel['day'], wanted: string | undefined) =>
    counts.find((one) => one.remote === remote && one.version === wanted)
  const lately = find(feel.lately, version)
  const tooMany = lately ? aboveLimits(lately) : []
  if (lately && tooMany.length > 0) {
    const texts = tooMany.map((fact) => `${TITLES[fact]} in ${shareText(fact, lately)} views`)
    return `${texts.join(', ')} in the last ${LATELY_HOURS} hours`
  }
  const [tested, other] = [find(feel.day, version), find(feel.day, base)]
  const worse = tested && other ? FACTS.flatMap((fact) => worseText(fact, tested, other)) : []
  return worse.length > 0 ? `is worse than ${shortVersion(base ?? '')}: ${worse.join(', ')}` : ''
}

/** Empty where the intervals of 95 % overlap. */
function worseText(fact: Fact, tested: Counts, base: Counts): string[] {
  const [a, b] = [shareOf(tested[fact], tested.views), shareOf(base[fact], base.views)]
  return a.low > b.high
    ? [`${TITLES[fact]} in ${percent(a.value)} of its views instead of ${percent(b.value)}`]
    : []
}
