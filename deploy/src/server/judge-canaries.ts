import { errorMessage } from '@anniversary/shared/error-message'
import { readPlans } from '../canary/plan.ts'
import { LOOK_MS } from '../cli/canary-verbs.ts'
import { type ReportSource, readViews } from '../reports/report-source.ts'
import { onBehalf } from '../site/caller.ts'
import { currentSite } from '../site/record.ts'
import type { Target } from '../target/target.ts'
import { evaluateCanary } from '../verbs/judge.ts'

const SELF = { name: 'deploy server', packages: ['*'], whoMay: () => [] }

/** Judges each canary that somebody has started with `--auto`. */
export async function judgeCanaries(target: Target, source: ReportSource): Promise<void> {
  const plans = await readPlans(target, await currentSite(target))
  // Once for a set.
  for (const [name, { remotes }] of Object.entries(plans))
    if (Object.keys(remotes)[0] === name)
      await onBehalf.run(SELF, () =>
        evaluateCanary(target, name, (remote, since) => readViews(source, { remote, since })),
      )
}

/** Judges the canaries once a minute, for as long as this process runs. */
export function keepJudging(target: Target, source: ReportSource): void {
  setInterval(
    () => judgeCanaries(target, source).catch((error: unknown) => console.error(errorMessage(error))),
    LOOK_MS,
  ).unref()
}
