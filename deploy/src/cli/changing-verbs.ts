import { Option } from 'commander'
import { smokeTest } from '../checks/smoke-test.ts'
import { currentSite } from '../site/record.ts'
import { configure, setCdn } from '../verbs/configure.ts'
import { prune } from '../verbs/prune.ts'
import { type PublishOptions, publish } from '../verbs/publish.ts'
import { rollback } from '../verbs/rollback.ts'
import { removeRemote, switchRemote } from '../verbs/switch.ts'
import { duration, settings, wholeNumber } from './arguments.ts'
import { findBuilds } from './find-builds.ts'
import { outcomeOf, type Verb } from './verb.ts'

export const changing = (program: Verb, name: string): Verb =>
  program.command(name).option('--dry-run', 'check everything, change nothing')

export function bringing(program: Verb, name: string): Verb {
  const verb = changing(program, name)
    .addOption(new Option('--force <rule>', 'set a rule aside for once').choices(['size']))
    .option('--no-smoke', 'do not load the site in a browser first')
    .option('--shells <n>', 'load new remotes under so many of the last shells', wholeNumber, 2)
    .option('--budget <time>', 'for all pages in the browser', duration, 60_000)
  verb.bringsBuilds = true
  return verb
}

export interface Bringing {
  readonly force?: 'size'
  readonly smoke: boolean
  readonly shells: number
  readonly budget: number
}

export const optionsOf = ({ force, smoke, shells, budget }: Bringing): PublishOptions => ({
  anySize: force === 'size',
  ...(smoke && { smoke: (target, site) => smokeTest(target, site, { shells, budget }) }),
})

export function addChangingVerbs(program: Verb): void {
  bringing(program, 'publish [builds...]')
    .description('Put builds live: packages or their output folders; default: the package here')
    .changes((target, builds: string[], options: Bringing) =>
      publish(target, findBuilds(builds), optionsOf(options)),
    )
    .examples(`  $ deploy publish                      from the folder of a remote, after its build
  $ deploy publish mf-auth --dry-run    would it be let through?
  $ deploy publish shell mf-auth        a new contract major: shell and remotes together`)

  changing(program, 'rollback [package]')
    .description('Go back: a package to its last good version, or without one the whole site by one step')
    .option('--number <n>', 'to how it was in this composition', wholeNumber)
    .changes((target, name: string | undefined, { number }: { number?: number }) =>
      rollback(target, { ...(name && { name }), ...(number && { to: number }) }),
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
    .description(
      'Show the public configuration, or change it: shareHost=facebook.com, eventUrl= (back to the default)',
    )
    .answers(async (context, given: string[]) => {
      const { target } = context
      if (given.length > 0) return await outcomeOf(context, () => configure(target, settings(given)))
      const { config } = await currentSite(target)
      const lines = Object.entries(config).map(([name, value]) => `${name}=${value}`)
      return { json: config, text: lines.join('\n') }
    })

  changing(program, 'cdn [origin]')
    .description('Let pages ask this origin first for the files of remotes; without one, the site alone')
    .changes((target, origin: string | undefined) => setCdn(target, origin))
    .examples('  $ deploy cdn https://cdn.example      it has the site as its origin, or a copy of it')

  changing(program, 'prune')
    .description(
      'Remove compositions that were not live for a week, and versions that none of the others use',
    )
    .requiredOption('--keep <n>', 'number of newest compositions that stay, with their versions', wholeNumber)
    .answers(async ({ target, dryRun }, { keep }: { keep: number }) => {
      const { removed, files } = await prune(target, { keep })
      const done = dryRun ? 'would remove' : 'removed'
      const text = [...removed, `${files} other files`].map((what) => `${done} ${what}`).join('\n')
      return { json: { ok: true, dryRun, removed, files }, text }
    })
}
