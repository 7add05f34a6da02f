import { setTimeout } from 'node:timers/promises'
import { styleText } from 'node:util'
import { FACTS } from '@anniversary/shared/contract/report'
import { errorMessage } from '@anniversary/shared/error-message'
import { readCandidates } from '../builds/read-build.ts'
import { sentence } from '../canary/comparison.ts'
import { allPlans, holdOf, needsText, planProblem, planText } from '../canary/plan.ts'
import { Rejected, UsageError } from '../rejected.ts'
import { hoursBefore, readViews, reportSource } from '../reports/report-source.ts'
import { currentSite, type SiteRecord } from '../site/record.ts'
import type { Target } from '../target/target.ts'
import { promote, resizeCanary, startCanary, stopCanary } from '../verbs/canary.ts'
import type { Outcome } from '../verbs/change.ts'
import { evaluateCanary, type Judged, planCanary, type ViewsSince } from '../verbs/judge.ts'
import { duration, percent, steps, wholeNumber } from './arguments.ts'
import { type Bringing, bringing, changing, optionsOf } from './changing-verbs.ts'
import { findBuilds } from './find-builds.ts'
import { dim, outcomeText, warningText } from './text.ts'
import { type Answer, type Context, outcomeOf, say, type Verb } from './verb.ts'

interface Canary extends Bringing {
  readonly percent?: number
  readonly stop?: boolean
  readonly auto?: number[]
  readonly every: number
  readonly views: number
  readonly reports?: string
}

export function addCanaryVerbs(program: Verb): void {
  bringing(program, 'canary <remotes...>')
    .description(
      'Give builds (./mf-auth) to a share of the visitors, several as one set; or change a canary (mf-auth)',
    )
    .option('--percent <n>', 'share of the visitors, 0 to 100', percent)
    .option('--stop', 'end the canary: everyone has the current version')
    .option('--auto <shares>', 'take it through these shares while members fare no worse with it', steps)
    .option('--every <time>', 'with --auto: a step takes so long at least', duration, 600_000)
    .option('--views <n>', 'with --auto: and so many views of each version', wholeNumber, 2000)
    .option('--reports <url>', "the API's /api/reports; default: DEPLOY_REPORTS, or the site's reportUrl")
    .answers((context, remotes: string[], options: Canary) =>
      options.auto
        ? judged(context, remotes, options)
        : outcomeOf(context, () => canary(context.target, remotes, options)),
    )
    .examples(`  $ deploy canary ./mf-auth --percent 5   the build in mf-auth/dist for 5 % of the visitors
  $ deploy canary mf-auth --percent 25    the same canary for more of them
  $ deploy canary mf-auth --stop          back to the current version for all
  $ deploy canary ./mf-auth ./mf-history --auto 5,25,50,100 --every 10m
                                          both for the same visitors, until everyone has them or one does harm`)

  changing(program, 'promote <remote>')
    .description('Give the canary, and its set, to everyone')
    .changes((target, name: string) => promote(target, name))
}

/** Whether this names a canary of the site: `mf-auth`. `./mf-auth` and `dist/x` are folders of builds. */
const isCanary = (site: SiteRecord, [remote = '', ...more]: readonly string[]): boolean =>
  more.length === 0 && !/[./\\]/.test(remote) && site.remotes[remote]?.canary !== undefined

async function canary(target: Target, remotes: readonly string[], options: Canary): Promise<Outcome> {
  const [name = ''] = remotes
  if (options.stop) return await stopCanary(target, name)
  if (options.percent === undefined)
    throw new UsageError('How many visitors? Name --percent, or --stop to end the canary.')
  if (isCanary(await currentSite(target), remotes)) return await resizeCanary(target, name, options.percent)
  return await startCanary(target, findBuilds(remotes), options.percent, optionsOf(options))
}

/** Milliseconds between two looks of a judge. */
export const LOOK_MS = 60_000

/** Starts canaries, and judges them until everyone or nobody has them. The deploy server does so without the caller. */
async function judged(context: Context, remotes: readonly string[], options: Canary): Promise<Answer> {
  const { target, json, dryRun, isServer } = context
  const { auto = [], every, views: perStep } = options
  const site = await currentSite(target)
  const source = reportSource(site.config, options.reports)
  const views: ViewsSince = (remote, since) => readViews(source, { remote, since })
  const began = Date.now()
  const isRunning = isCanary(site, remotes)
  const builds = isRunning ? [] : await readCandidates(findBuilds(remotes))
  const names = isRunning ? remotes : builds.map(({ build }) => build.name)
  const day: Record<string, number> = {}
  // Fails before any visitor has a canary that could not be judged.
  for (const name of names)
    day[name] = (await views(name, hoursBefore(new Date(), 24))).reduce((sum, one) => sum + one.views, 0)
  const needs = needsText({ steps: auto, views: perStep }, day)
  if (!json && !isServer) say(needs)
  const started = isRunning ? null : await canary(target, remotes, { ...options, percent: auto[0] ?? 0 })
  const [name = ''] = names
  const first = await planCanary(target, name, views, { steps: auto, every, views: perStep })
  const begun = started ? outcomeText(started, dryRun, Date.now() - began) : planText(name, first, new Date())
  if (isServer || dryRun)
    return { text: `${needs}\n${begun}`, json: { ok: true, needs, number: started?.record.number } }
  if (!json) say(begun)
  for (;;) {
    await setTimeout(Math.min(every, LOOK_MS))
    const plan = (await allPlans(target)).find(({ remotes }) => remotes[name])
    if (!plan) return { text: `${name} is no longer judged: deploy history ${name}`, failed: true }
    const result = await evaluateCanary(target, plan, views).catch((error: unknown) => {
      if (error instanceof Rejected) throw error
      // Without views the canary stays as it is until the next look.
      process.stderr.write(`${warningText(errorMessage(error))}\n`)
    })
    if (!result) continue
    const answer = judgedAnswer(result)
    if (result.verdict === 'ended' || result.verdict === 'promoted') return answer
    if (!json) say(answer.text)
  }
}

function judgedAnswer({ verdict, plan, judgement, outcome }: Judged): Answer {
  const failed = verdict === 'ended'
  const now = new Date()
  const lines = Object.entries(judgement).flatMap(([name, both]) => [
    `${styleText('cyan', '…')} ${name}: ${outcome?.summary ?? planProblem(plan, now) ?? planText(name, plan, now)}`,
    ...FACTS.map((fact) => dim(`  ${sentence(fact, both)}`)),
  ])
  const { number } = outcome?.record ?? {}
  return {
    json: { ok: !failed, verdict, percent: plan.percent, number, holds: holdOf(plan), judgement },
    text: lines.join('\n'),
    failed,
  }
}
