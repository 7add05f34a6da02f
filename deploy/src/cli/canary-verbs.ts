import { readCandidates } from '../builds/read-build.ts'
import { needsText, planText } from '../canary/plan.ts'
import { UsageError } from '../rejected.ts'
import { hoursBefore, readViews, reportSource } from '../reports/report-source.ts'
import { currentSite, type SiteRecord } from '../site/record.ts'
import type { Target } from '../target/target.ts'
import { promote, resizeCanary, startCanary, stopCanary } from '../verbs/canary.ts'
import type { Outcome } from '../verbs/change.ts'
import { planCanary, type ViewsSince } from '../verbs/judge.ts'
import { duration, percent, steps, wholeNumber } from './arguments.ts'
import { type Bringing, bringing, changing, optionsOf } from './changing-verbs.ts'
import { findBuilds } from './find-builds.ts'
import { outcomeText } from './text.ts'
import { type Answer, type Context, outcomeOf, type Verb } from './verb.ts'

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

/** Starts canaries for the deploy server to judge (verbs/judge.ts). */
async function judged(context: Context, remotes: readonly string[], options: Canary): Promise<Answer> {
  const { target, dryRun } = context
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
  const started = isRunning ? null : await canary(target, remotes, { ...options, percent: auto[0] ?? 0 })
  const [name = ''] = names
  const plan = await planCanary(target, name, views, { steps: auto, every, views: perStep })
  const begun = started ? outcomeText(started, dryRun, Date.now() - began) : planText(name, plan, new Date())
  const text = `${needs}\n${begun}\nThe deploy server judges it once a minute: see deploy status.`
  return { text, json: { ok: true, dryRun, needs, number: started?.record.number } }
}
