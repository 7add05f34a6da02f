import type { Extension } from '@anniversary/deploy/cli/extension'
import { planProblem, plansOf, planText } from '../canary/plan.ts'
import { addCanaryAuto } from './canary-auto.ts'
import { addReportCommands } from './report-commands.ts'

/** Commands that this package adds to `deploy`, also for callers of the publish API. */
export const serverExtension: Extension = {
  addCommands(program) {
    addCanaryAuto(program)
    addReportCommands(program)
  },
  async statusLines(target, site) {
    const plans = await plansOf(target, site)
    return plans.flatMap((plan) => [
      `\n${plan.remote}: ${planText(plan)}`,
      `  ${planProblem(plan) ?? ''}`,
    ])
  },
}
