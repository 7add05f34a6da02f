import { errorMessage } from '@anniversary/shared/error-message'
import { allPlans } from '../canary/plan.ts'
import { type ReportSource, readViews } from '../reports/report-source.ts'
import { onBehalf } from '../site/caller.ts'
import type { Target } from '../target/target.ts'
import { evaluateCanary } from '../verbs/judge.ts'

const LOOK_MS = 60_000
const SELF = { name: 'deploy server', packages: ['*'], whoMay: () => [] }

/** Judges each canary that somebody has started with `--auto`. A failure is no reason not to judge the others. */
export async function judgeCanaries(target: Target, source: ReportSource): Promise<void> {
  for (const plan of await allPlans(target))
    await onBehalf
      .run(SELF, () => evaluateCanary(target, plan, (remote, since) => readViews(source, { remote, since })))
      .catch((error: unknown) => console.error(errorMessage(error)))
}

/** Judges the canaries once a minute, for as long as this process runs. */
export const keepJudging = (target: Target, source: ReportSource): unknown =>
  setInterval(() => judgeCanaries(target, source).catch(console.error), LOOK_MS).unref()
