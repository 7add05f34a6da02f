import { setTimeout } from 'node:timers/promises'
import { styleText } from 'node:util'
import { FACTS } from '@anniversary/shared/contract/report'
import { errorMessage } from '@anniversary/shared/error-message'
import { sentence } from '../canary/comparison.ts'
import { planProblem, planText } from '../canary/plan.ts'
import { Rejected, UsageError } from '../rejected.ts'
import { readViews, reportSource } from '../reports/report-source.ts'
import { currentSite, type SiteRecord } from '../site/record.ts'
import type { Target } from '../target/target.ts'
import { promote, resizeCanary, startCanary, stopCanary } from '../verbs/canary.ts'
import type { Outcome } from '../verbs/change.ts'
import { evaluateCanary, type Judged, planCanary, type ViewsSince } from '../verbs/judge.ts'
import { duration, percent, steps, wholeNumber } from './arguments.ts'
import { type Bringing, bringing, changing, optionsOf } from './changing-verbs.ts'
import type { Context } from './context.ts'
import { findBuilds } from './find-builds.ts'
import { dim, outcomeText, warningText } from './text.ts'
import { type Answer, outcomeOf, say, type Verb } from './verb.ts'

interface Canary extends Bringing {
  readonly percent?: number
  readonly stop?: boolean
  readonly auto?: number[]
  readonly every: number
  readonly views: number
  readonly judge?: boolean
  readonly reports?: string
}

export function addCanaryVerbs(program: Verb): void {
  bringing(program, 'canary <remote>')
    .description(
      'Give a build (./mf-auth) to a share of the visitors, or change the share of a canary (mf-auth)',
    )
    .option('--percent <n>', 'share of the visitors, 0 to 100', percent)
    .option('--stop', 'end the canary: everyone has the current version')
    .option('--auto <shares>', 'take it through these shares while members fare no worse with it', steps)
    .option('--every <time>', 'with --auto: a step takes so long at least', duration, 600_000)
    .option('--views <n>', 'with --auto: and so many views of each version', wholeNumber, 2000)
    .option('--judge', 'judge it once, and do not wait')
    .option('--reports <url>', "the API's /api/reports; default: DEPLOY_REPORTS, or the site's reportUrl")
    .answers((context, remote: string, options: Canary) =>
      options.auto || options.judge
        ? judged(context, remote, options)
        : outcomeOf(context, () => canary(context.target, remote, options)),
    )
    .examples(`  $ deploy canary ./mf-auth --percent 5   the build in mf-auth/dist for 5 % of the visitors
  $ deploy canary mf-auth --percent 25    the same canary for more of them
  $ deploy canary mf-auth --stop          back to the current version for all
  $ deploy canary ./mf-auth --auto 5,25,50,100 --every 10m
                                          from step to step, until everyone has it or it does harm
  $ deploy canary ./mf-auth --auto 5,25,50,100 --every 10m --judge
  $ deploy canary mf-auth --judge         the same in calls, for a job that runs every 10 minutes`)

  changing(program, 'promote <remote>')
    .description('Give the canary to everyone')
    .changes((target, name: string) => promote(target, name))
}

/** Whether this names a canary of the site: `mf-auth`. `./mf-auth` and `dist/x` are folders of builds. */
const isCanary = (site: SiteRecord, remote: string): boolean =>
  !/[./\\]/.test(remote) && site.remotes[remote]?.canary !== undefined

async function canary(target: Target, remote: string, options: Canary): Promise<Outcome> {
  if (options.stop) return await stopCanary(target, remote)
  if (options.percent === undefined)
    throw new UsageError('How many visitors? Name --percent, or --stop to end the canary.')
  if (isCanary(await currentSite(target), remote)) return await resizeCanary(target, remote, options.percent)
  const [folder = remote] = findBuilds([remote])
  return await startCanary(target, folder, options.percent, optionsOf(options))
}

/** The longest time between two looks of a judge, also where a step takes longer. */
const LOOK_MS = 60_000

/** Starts a canary with `--auto`, then judges it: once, or until everyone or nobody has it. */
async function judged(context: Context, remote: string, options: Canary): Promise<Answer> {
  const { target, json, dryRun } = context
  const site = await currentSite(target)
  const source = reportSource(site.config, options.reports)
  const views: ViewsSince = (remote, since) => readViews(source, { remote, since })
  const name = options.auto ? await begin(context, site, remote, options, views) : remote
  const once = options.judge || dryRun
  for (;;) {
    const began = Date.now()
    const result = await evaluateCanary(target, name, views).catch((error: unknown) => {
      // Without views the canary stays as it is until the next look.
      if (once || error instanceof Rejected) throw error
      process.stderr.write(`${warningText(errorMessage(error))}\n`)
    })
    if (result) {
      const answer = judgedAnswer(context, name, result, Date.now() - began)
      if (once || result.verdict === 'ended' || result.verdict === 'promoted') return answer
      if (!json) say(answer.text)
    }
    await setTimeout(Math.min(options.every, LOOK_MS))
  }
}

/** Starts the canary, or takes over the one that is there. @returns the remote's name */
async function begin(
  { target, json, dryRun }: Context,
  site: SiteRecord,
  remote: string,
  options: Canary,
  counts: ViewsSince,
): Promise<string> {
  const { auto: shares = [], every, views } = options
  // Fails before any visitor has a canary that could not be judged.
  await counts(remote, new Date().toISOString())
  const began = Date.now()
  const started = isCanary(site, remote)
    ? null
    : await canary(target, remote, { ...options, percent: shares[0] ?? 0 })
  if (started && !json) say(outcomeText(started, dryRun, Date.now() - began))
  const name = started?.record.change.packages[0] ?? remote
  await planCanary(target, name, counts, { steps: shares, every, views })
  return name
}

function judgedAnswer(
  { dryRun }: Context,
  name: string,
  { verdict, plan, judgement, outcome }: Judged,
  milliseconds: number,
): Answer {
  const { stepViews, holds } = plan.comparison
  const failed = verdict === 'ended'
  const now = new Date()
  const stays = `${styleText('cyan', '…')} ${name}: ${planProblem(name, plan, now) ?? planText(plan, now)}`
  const text = [
    outcome ? outcomeText(outcome, dryRun, milliseconds) : stays,
    ...FACTS.map((fact) => dim(`  ${sentence(fact, judgement)}`)),
  ]
  const { number } = outcome?.record ?? {}
  return {
    json: { ok: !failed, verdict, percent: plan.percent, number, stepViews, holds, judgement },
    text: text.join('\n'),
    failed,
  }
}
