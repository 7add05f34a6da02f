import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Option } from 'commander'
import { type Description, describeBuild } from '../builds/describe-build.ts'
import { readCandidates } from '../builds/read-build.ts'
import { needsText } from '../canary/plan.ts'
import type { PageSize } from '../checks/page-sizes.ts'
import { UsageError } from '../rejected.ts'
import { hoursBefore, readViewsOf } from '../reports/report-source.ts'
import { onBehalf } from '../site/caller.ts'
import { canarySet } from '../site/compose.ts'
import type { Preview } from '../site/preview.ts'
import { currentSite } from '../site/record.ts'
import { isDry } from '../target/overlay-target.ts'
import type { Target } from '../target/target.ts'
import { changeCanary, startCanary } from '../verbs/canary.ts'
import type { CheckOptions } from '../verbs/change.ts'
import { configure, removeRemote, switchRemote } from '../verbs/configure.ts'
import { planCanary } from '../verbs/judge.ts'
import { createPreview, stopPreview } from '../verbs/preview.ts'
import { prune } from '../verbs/prune.ts'
import { publish } from '../verbs/publish.ts'
import { rollback } from '../verbs/rollback.ts'
import { table, verdictsText, warningText } from './text.ts'
import {
  type Answer,
  duration,
  outcomeOf,
  percent,
  settings,
  steps,
  tell,
  type Verb,
  wholeNumber,
} from './verb.ts'

export function findBuild(path: string): string | undefined {
  const caller = onBehalf.getStore()
  // A path of somebody else's machine must not be looked up on this one.
  if (caller) return caller.builds?.get(path)
  return [path, join(path, 'dist')].find((one) => existsSync(join(one, 'build.json')))
}

const findBuilds = (paths: readonly string[]): string[] =>
  (paths.length > 0 ? paths : ['.']).map((path) => {
    const folder = findBuild(path)
    if (folder) return folder
    const where = path === '.' ? 'here or in ./dist' : `in ${path} or ${join(path, 'dist')}`
    throw new UsageError(
      `There is no build.json ${where}. Build first, then name the package or its output folder.`,
    )
  })

const changing = (program: Verb, name: string): Verb =>
  program.command(name).option('--dry-run', 'check everything, change nothing')

function bringing(program: Verb, name: string): Verb {
  const verb = changing(program, name)
    .addOption(new Option('--force <rule>', 'set a rule aside for once').choices(['size']))
    .option('--no-smoke', 'do not load the site in a browser first')
    .option('--shells <n>', 'load new remotes under so many of the last shells', wholeNumber, 2)
    .option('--budget <time>', 'for all pages in the browser', duration, 60_000)
  verb.bringsBuilds = true
  return verb
}

interface Previewing extends CheckOptions {
  readonly for: number
  readonly stop?: string
}

interface Canary extends CheckOptions {
  readonly percent?: number
  readonly stop?: boolean
  readonly auto?: number[]
  readonly every: number
  readonly views: number
}

export function addChangingVerbs(program: Verb): void {
  bringing(program, 'publish [builds...]')
    .description('Put builds live: packages or their output folders; default: the package here')
    .changes((target, builds: string[], options: CheckOptions) =>
      publish(target, findBuilds(builds), options),
    )
    .examples(`  $ deploy publish                      from the folder of a remote, after its build
  $ deploy publish mf-auth --dry-run    would it be let through?
  $ deploy publish shell mf-auth        a new contract major: shell and remotes together`)

  changing(program, 'rollback [package]')
    .description('Go back: a package to its last good version, or without one the whole site by one step')
    .option('--number <n>', 'to how it was in this composition', wholeNumber)
    .changes((target, name: string | undefined, { number: to }: { number?: number }) =>
      rollback(target, { name, to }),
    )
    .examples(`  $ deploy rollback mf-auth             to its last good version; ends a canary first
  $ deploy rollback mf-auth --number 41 to the version that it had in composition 41
  $ deploy rollback                     undo the last change of the site, whoever made it`)

  changing(program, 'disable <remote>')
    .description('Switch a remote off; all else goes on')
    .changes((target, name: string) => switchRemote(target, name, 'off'))

  changing(program, 'enable <remote>')
    .description('Switch a remote on again')
    .changes((target, name: string) => switchRemote(target, name, 'on'))

  changing(program, 'remove <remote>')
    .description('Take a remote and its routes out of the site; switch it off first')
    .changes(removeRemote)

  changing(program, 'config [settings...]')
    .description('Show the public configuration, or change it')
    .answers(async (target, given: string[]) => {
      if (given.length > 0) return await outcomeOf(target, configure(target, settings(given)))
      const { config } = await currentSite(target)
      return {
        json: config,
        text: Object.entries(config)
          .map((setting) => setting.join('='))
          .join('\n'),
      }
    })
    .examples('  $ deploy config shareHost=facebook.com eventUrl=   the second goes back to its default')

  changing(program, 'prune')
    .description(
      'Remove compositions that were not live for a week, and versions that none of the others use',
    )
    .requiredOption('--keep <n>', 'number of newest compositions that stay, with their versions', wholeNumber)
    .answers(async (target, { keep }: { keep: number }) => {
      const dryRun = isDry(target)
      const { removed, files } = await prune(target, keep)
      const done = dryRun ? 'would remove' : 'removed'
      const text = [...removed, `${files} other files`].map((what) => `${done} ${what}`).join('\n')
      return { json: { ok: true, dryRun, removed, files }, text }
    })

  bringing(program, 'canary <remotes...>')
    .description(
      'Give builds (./mf-auth) to a share of the visitors, several as one set; or change a canary (mf-auth)',
    )
    .option('--percent <n>', 'share of the visitors, 0 to 100', percent)
    .option('--stop', 'end the canary: everyone has the current version')
    .option('--auto <shares>', 'take it through these shares while members fare no worse with it', steps)
    .option('--every <time>', 'with --auto: a step takes so long at least', duration, 600_000)
    .option('--views <n>', 'and so many views of each version', wholeNumber, 2000)
    .answers(canary)
    .examples(`  $ deploy canary ./mf-auth --percent 5   the build in mf-auth/dist for 5 % of the visitors
  $ deploy canary mf-auth --percent 25    the same canary for more of them
  $ deploy canary mf-auth --stop          back to the current version for all
  $ deploy canary ./mf-auth ./mf-history --auto 5,25,50,100 --every 10m
                                          both for the same visitors, until everyone has them or one does harm`)

  changing(program, 'promote <remote>')
    .description('Give the canary, and its set, to everyone')
    .changes((target, name: string) => changeCanary(target, name, 'everyone'))

  bringing(program, 'preview [builds...]')
    .description('Show builds inside the site to whoever has the link; members see nothing of it')
    .option('--for <time>', 'how long it stays: 12h, 7d', duration, duration('7d'))
    .option('--stop <id>', 'take the preview of this id away')
    .answers(async (target, builds: string[], options: Previewing) => {
      const dryRun = isDry(target)
      if (options.stop !== undefined) {
        const { id } = await stopPreview(target, options.stop)
        return { json: { ok: true, dryRun, id }, text: dryRun ? `${id} would be gone.` : `${id} is gone.` }
      }
      const { preview, sizes, warnings, verdicts } = await createPreview(target, findBuilds(builds), options)
      const text = [
        ...warnings.map(warningText),
        ...(dryRun
          ? ['dry run: this would be let through']
          : [preview.link, ...(preview.qr ? [`\n![QR code of the link](${preview.qr})`] : [])]),
        `\n${shownIn(preview)}, until ${preview.until}\n`,
        sizesText(sizes),
        '',
        ...verdictsText(verdicts),
      ]
      return { json: { ok: true, dryRun, ...preview, sizes, warnings, verdicts }, text: text.join('\n') }
    })
    .examples(`  $ deploy preview ./mf-auth            the build in mf-auth/dist; prints the link
  $ deploy preview shell mf-auth --for 12h
  $ deploy preview --stop 0123456789abcdef0123456789abcdef

Files that the builds serve at the site's root (publicFiles) stay the live ones.`)
}

const shownIn = ({ shown }: Preview): string => shown.map((version) => version.join(' ')).join(', ')

const sizesText = (sizes: readonly PageSize[]): string =>
  table([
    ['    package', 'page', 'brotli bytes', 'against live'],
    ...sizes.map(({ package: name, page, bytes, live }) => [
      `    ${name}`,
      page,
      String(bytes),
      live === null ? 'new' : `${bytes >= live ? '+' : ''}${bytes - live}`,
    ]),
  ])

async function canary(
  target: Target,
  remotes: readonly string[],
  options: Canary,
  verb: Verb,
): Promise<Answer> {
  const [named = ''] = remotes
  if (options.stop) return await outcomeOf(target, changeCanary(target, named, 'nobody'))
  const { auto, every, views } = options
  const percent = auto?.[0] ?? options.percent
  if (percent === undefined)
    throw new UsageError('How many visitors? Name --percent, or --stop to end the canary.')
  const site = await currentSite(target)
  // `mf-auth` names a canary of the site; `./mf-auth` and `dist/x` are folders of builds.
  const isRunning = remotes.length === 1 && !/[./\\]/.test(named) && !!site.remotes[named]?.canary
  if (isRunning && !auto) return await outcomeOf(target, changeCanary(target, named, percent))

  const builds = isRunning ? [] : findBuilds(remotes)
  const names = isRunning
    ? Object.keys(canarySet(site, named))
    : (await readCandidates(builds)).map(({ build }) => build.name)
  const day = readViewsOf(site.config, names, hoursBefore(new Date(), 24))
  // With --auto it fails before any visitor has a canary that could not be judged.
  const plan = { steps: auto ?? [percent], every, views }
  const needs = needsText(plan, names, await (auto ? day : day.catch(() => undefined)))
  tell(verb, `${names.join(', ')} for ${percent} %: ${needs}`)
  const begun: Answer = isRunning
    ? { text: `${named} ${needs}`, json: { ok: true, dryRun: isDry(target), needs } }
    : await outcomeOf(target, startCanary(target, builds, percent, { ...options, needs }))
  if (!auto) return begun
  await planCanary(target, names[0] ?? '', plan)
  return { ...begun, text: `${begun.text}\nThe deploy server judges it once a minute: see deploy status.` }
}

type Manifest = Omit<Description, 'exposes'> & { readonly expose: readonly string[] }

export function addManifestVerb(program: Verb): void {
  program
    .command('manifest <dist>')
    .description('Write build.json for a federated build of webpack, Rspack, Rsbuild or Vite, and check it')
    .requiredOption('--entry <file>', 'that makes the container: remoteEntry.js, or remoteEntry.*.js')
    .requiredOption('--expose <module=files...>', 'files of a page: ./WinnersPage=winners.*.js,winners.*.css')
    .option('--contract <version>', 'of the host that it needs; default: that of this release')
    .prints(async (dist: string, { expose, ...options }: Manifest) => {
      const exposes: Record<string, string[]> = {}
      for (const [name, files] of expose.map(exposeOf)) exposes[name] = [...(exposes[name] ?? []), ...files]
      const { build, version } = await describeBuild(dist, process.cwd(), { ...options, exposes })
      const routes = Object.keys(build.routes).join(', ') || 'none in routes.json'
      const text = `${build.name} ${version}: ${Object.keys(build.files).length} files, entry ${build.entry}, routes: ${routes}`
      return { json: { ok: true, name: build.name, version }, text }
    })
    .examples(`  $ deploy manifest dist --entry remoteEntry.js --expose ./WinnersPage=winners.js

Run it in the folder of the remote: name and version come from package.json, what the shell shares from its
peerDependencies, and routes from routes.json.`)
}

function exposeOf(given: string): [expose: string, patterns: string[]] {
  const [expose = '', files] = given.split('=')
  if (expose.startsWith('./') && files) return [expose, files.split(',')]
  throw new UsageError(`${given} is no expose: write ./WinnersPage=winners.js`)
}
