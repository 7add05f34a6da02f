import { activeFreezeOf, freezeText } from '../checks/freeze-rule.ts'
import { UsageError } from '../rejected.ts'
import { currentSiteRecord } from '../site/record.ts'
import { changeSettings, freezeSite, removeRemote, switchRemote } from '../verbs/configure.ts'
import { type PublishOptions, publishFolders } from '../verbs/publish.ts'
import { rollBackSite } from '../verbs/rollback.ts'
import { parseEventTime, parseSettings, wholeNumber } from './arguments.ts'
import { requireBuilds } from './build-folders.ts'
import { commandResultOf, type DeployCommand } from './command.ts'

interface FreezeOptions {
  readonly now?: true
  readonly from?: Date
  readonly until?: Date
  readonly except: readonly string[]
  readonly off?: true
}

const collected = (text: string, before: readonly string[]) => [...before, text]

function freezeWish(options: FreezeOptions) {
  const { now, from, until, except, off } = options
  const isTwice = [now, from, off].filter(Boolean).length > 1
  const begin = now ? ('now' as const) : from
  const hasNoBeginning = until && !begin
  const isHalfLifted = off && except.length > 0
  if (isTwice || hasNoBeginning || isHalfLifted)
    throw new UsageError('Name --from and --until, or --now, or --except, or --off.')

  if (off) return 'lifted'
  return { from: begin, until, except }
}

export const addChangingCommand = (parent: DeployCommand, name: string): DeployCommand =>
  parent.command(name).option('--dry-run', 'check everything, change nothing')

export function addBuildCommand(parent: DeployCommand, name: string): DeployCommand {
  const command = addChangingCommand(parent, name).option(
    '--no-smoke',
    'do not load the site in a browser first',
  )
  command.bringsBuilds = true
  return command
}

export function addChangingCommands(program: DeployCommand): void {
  addBuildCommand(program, 'publish [builds...]')
    .description('Put builds live: packages or their output folders; default: the package here')
    .option('--changed', 'leave out builds that were released before, under any version')
    .changes((context, builds: string[], options: PublishOptions) =>
      publishFolders(context, requireBuilds(context, builds), options),
    )
    .examples(`  $ deploy publish                      from the folder of a remote, after its build
  $ deploy publish mf-auth --dry-run    run every check, change nothing
  $ deploy publish shell mf-auth        a new contract major: shell and remotes together`)

  addChangingCommand(program, 'rollback [package]')
    .description(
      'Go back: a package to its last good version, or without one the whole site by one step',
    )
    .option(
      '--number <n>',
      'to how it was in this composition, without canaries that have ended',
      wholeNumber,
    )
    .changes((context, name: string | undefined, { number: to }: { number?: number }) =>
      rollBackSite(context, { name, to }),
    )
    .examples(`  $ deploy rollback mf-auth             to its last good version; ends a canary first
  $ deploy rollback mf-auth --number 41 to the version that it had in composition 41
  $ deploy rollback                     undo the last change of the site, whoever made it; not the end of a canary`)

  addChangingCommand(program, 'disable <remote>')
    .description('Switch a remote off; all else goes on')
    .changes((context, name: string) => switchRemote(context, name, 'off'))

  addChangingCommand(program, 'enable <remote>')
    .description('Switch a remote on again')
    .changes((context, name: string) => switchRemote(context, name, 'on'))

  addChangingCommand(program, 'remove <remote>')
    .description('Take a remote and its routes out of the site; switch it off first')
    .changes(removeRemote)

  addChangingCommand(program, 'freeze')
    .description(
      'Block every change except rollback, disable and canary stop; without options, show the freeze. A site has one: another replaces it',
    )
    .option('--now', 'begin at once')
    .option('--from <time>', 'begin then, in the time of Viet Nam', parseEventTime)
    .option('--until <time>', 'end', parseEventTime)
    .option('--except <package>', 'lets this package change; repeat it for each', collected, [])
    .option('--off', 'lift it')
    .answers(async (context, options: FreezeOptions) => {
      if (Object.keys(options).length > 1 || options.except.length > 0)
        return await commandResultOf(context, freezeSite(context, freezeWish(options)))
      const freeze = activeFreezeOf(await currentSiteRecord(context.target), context.target.now())
      if (!freeze) return { json: { ok: true, freeze: null }, text: 'not frozen' }
      return { json: { ok: true, freeze }, text: freezeText(freeze) }
    })
    .examples(`  $ deploy freeze --from 2025-09-09T19:30 --until 2025-09-09T22:00
  $ deploy freeze --now
  $ deploy freeze --except mf-history   within the freeze, this package may change
  $ deploy freeze --off`)

  addChangingCommand(program, 'config [settings...]')
    .description('Show the public configuration, or change it')
    .answers(async (context, given: string[]) => {
      if (given.length > 0)
        return await commandResultOf(context, changeSettings(context, parseSettings(given)))
      const { config } = await currentSiteRecord(context.target)
      const lines = Object.entries(config).map((setting) => setting.join('='))
      return { json: config, text: lines.join('\n') }
    })
    .examples(
      '  $ deploy config shareHost=facebook.com eventUrl=   the second goes back to its default',
    )
}
