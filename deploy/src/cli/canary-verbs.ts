import { setTimeout } from 'node:timers/promises'
import { styleText } from 'node:util'
import { errorMessage } from '@anniversary/shared/error-message'
import type { Command } from 'commander'
import { COMPARED } from '../canary/comparison.ts'
import { Rejected } from '../rejected.ts'
import { readFigures } from '../reports/report-source.ts'
import type { Outcome } from '../site/change.ts'
import { currentSite, type SiteRecord } from '../site/record.ts'
import { promote, resizeCanary, startCanary, stopCanary } from '../verbs/canary.ts'
import { type FiguresSince, type Judged, judgeCanary, planCanary, sentence } from '../verbs/judge.ts'
import { duration, examples, percent, steps, wholeNumber } from './arguments.ts'
import { type Bringing, bringing, changing, optionsOf, report } from './changing-verbs.ts'
import { type Context, contextOf, UsageError } from './context.ts'
import { findBuilds } from './find-builds.ts'
import { printJson, printOutcome, say } from './print.ts'
import { sourceOf } from './report-verbs.ts'

interface Canary extends Bringing {
  readonly percent?: number
  readonly stop?: boolean
  readonly auto?: number[]
  readonly every: number
  readonly views: number
  readonly judge?: boolean
  readonly reports?: string
}

/**
 * Adds the verbs of a canary.
 * @param exit sets the exit code, when the judge has ended a canary
 */
export function addCanaryVerbs(program: Command, exit: (code: number) => void): void {
  bringing(program, 'canary <remote>')
    .description(
      'Give a build (./mf-auth) to a share of the visitors, or change the share of a canary (mf-auth)',
    )
    .option('--percent <n>', 'share of the visitors, 0 to 100', percent)
    .option('--stop', 'end the canary: everyone has the current version')
    .option('--auto <shares>', 'take it to these shares, as long as members fare no worse with it', steps)
    .option('--every <time>', 'with --auto: a step takes so long at least', duration, 600_000)
    .option('--views <n>', 'with --auto: and so many views of each version', wholeNumber, 2000)
    .option('--judge', 'judge it once, and do not wait')
    .option('--reports <url>', "the API's /api/reports; default: DEPLOY_REPORTS, or the site's reportUrl")
    .action(async (remote: string, options: Canary, command: Command) => {
      const context = await contextOf(command)
      if (!options.auto && !options.judge)
        return await report(context, () => canary(context, remote, options))
      const verdict = await judged(context, remote, options)
      if (verdict === 'ended') exit(1)
    })
    .addHelpText(
      'after',
      examples(`  $ deploy canary ./mf-auth --percent 5   the build in mf-auth/dist for 5 % of the visitors
  $ deploy canary mf-auth --percent 25    the same canary for more of them
  $ deploy canary mf-auth --stop          back to the current version for all
  $ deploy canary ./mf-auth --auto 5,25,50,100 --every 10m
                                          from step to step, until everyone has it or it does harm
  $ deploy canary ./mf-auth --auto 5,25,50,100 --every 10m --judge
  $ deploy canary mf-auth --judge         the same in calls, for a job that runs every 10 minutes`),
    )

  changing(program, 'promote <remote>')
    .description('Give the canary to everyone')
    .action(async (name: string, _options, command: Command) =>
      report(await contextOf(command), ({ target }) => promote(target, name)),
    )
}

/** `mf-auth` is a remote of the site; `./mf-auth` or `dist/x` is the folder of a build. */
const isPath = (remote: string): boolean => /[./\\]/.test(remote)

async function canary({ target }: Context, remote: string, options: Canary): Promise<Outcome> {
  if (options.stop) return await stopCanary(target, remote)
  if (options.percent === undefined)
    throw new UsageError('How many visitors? Name --percent, or --stop to end the canary.')
  const hasCanary = !isPath(remote) && (await currentSite(target)).remotes[remote]?.canary
  if (hasCanary) return await resizeCanary(target, remote, options.percent)
  const [folder = remote] = findBuilds([remote])
  return await startCanary(target, folder, options.percent, optionsOf(options))
}

/** The longest time between two looks of a judge, also where a step takes longer. */
const LOOK_MS = 60_000

/** Starts a canary with `--auto`, then judges it: once, or until everyone or nobody has it. */
async function judged(context: Context, remote: string, options: Canary): Promise<Judged['verdict']> {
  const { target } = context
  const site = await currentSite(target)
  const source = sourceOf(site, options.reports)
  const figuresOf =
    (name: string): FiguresSince =>
    (since) =>
      readFigures(source, { remote: name, since })
  const name = options.auto ? await begin(context, site, remote, options, figuresOf) : remote
  const once = options.judge || context.dryRun
  for (;;) {
    const began = Date.now()
    const result = await judgeCanary(target, name, figuresOf(name)).catch((error: unknown) => {
      // Without figures the canary stays as it is until the next look.
      if (once || error instanceof Rejected) throw error
      process.stderr.write(`${styleText('yellow', '!')} ${errorMessage(error)}\n`)
    })
    const isLast = once || result?.verdict === 'ended' || result?.verdict === 'promoted'
    if (result && (isLast || !context.json)) printJudged(context, name, result, Date.now() - began)
    if (result && isLast) return result.verdict
    await setTimeout(Math.min(options.every, LOOK_MS))
  }
}

/** Starts the canary, or takes over the one that is there. @returns the remote's name */
async function begin(
  context: Context,
  site: SiteRecord,
  remote: string,
  options: Canary,
  figuresOf: (name: string) => FiguresSince,
): Promise<string> {
  const { auto: shares = [], every, views } = options
  const hasCanary = !isPath(remote) && site.remotes[remote]?.canary
  // Fails before any visitor has a canary that could not be judged.
  await figuresOf(remote)(new Date().toISOString())
  const began = Date.now()
  const first = { ...options, percent: shares[0] ?? 0 }
  const started = hasCanary ? null : await canary(context, remote, first)
  if (started && !context.json) printOutcome(context, started, Date.now() - began)
  const name = started?.record.change.packages[0] ?? remote
  await planCanary(context.target, name, figuresOf(name), { steps: shares, every, views })
  return name
}

function printJudged(
  context: Context,
  name: string,
  { verdict, plan, judgement, outcome }: Judged,
  ms: number,
): void {
  if (context.json) {
    const { number } = outcome?.record ?? {}
    printJson({
      ok: verdict !== 'ended',
      verdict,
      percent: plan.percent,
      number,
      stepViews: plan.comparison.stepViews,
      judgement,
    })
    return
  }
  if (outcome) printOutcome(context, outcome, ms)
  else {
    const { canary: has, current } = plan.comparison.stepViews
    say(
      `${styleText('cyan', '…')} ${name} waits at ${plan.percent} %: ${has} views of the canary, ${current} of the current version; a step takes ${plan.views} of each`,
    )
  }
  for (const measure of COMPARED) say(styleText('dim', `  ${sentence(measure, judgement)}`))
}
