import { UsageError } from '../rejected.ts'
import { freezeText, readFreeze, setFreeze } from '../verbs/freeze.ts'
import { changing } from './changing-commands.ts'
import type { DeployCommand } from './command.ts'

/** A time without an offset is one of Viet Nam. */
function time(text: string): Date {
  const [, day, hour, offset = '+07:00'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?))?(Z|[+-]\d\d:\d\d)?$/.exec(text) ?? []
  const found = new Date(`${day}T${hour ?? '00:00'}${offset}`)
  if (Number.isNaN(found.getTime()))
    throw new UsageError(`${text} is no time: write 2025-09-09T19:30`)
  return found
}

interface FreezeOptions {
  readonly from?: Date
  readonly now?: true
  readonly off?: true
}

export function addFreezeCommand(program: DeployCommand): void {
  const command: DeployCommand = changing(program, 'freeze')
    .description(
      'Let nothing change but rollback, disable and canary stop; without options, show the freeze',
    )
    .option('--from <time>', 'beginning, in the time of Viet Nam', time)
    .option('--to <time>', 'end', time)
    .option('--now', 'begin at once')
    .option('--off', 'end it')
    .answers(async (context, { from, now, off }: FreezeOptions) => {
      // On the command line, the program's option of the same name takes the value.
      const given = command.optsWithGlobals<{ to?: string | Date }>().to
      const to = typeof given === 'string' ? time(given) : given
      const begin = now ? new Date() : from
      if ([from, now, off].filter(Boolean).length > 1 || (to && !begin))
        throw new UsageError('Name --from and --to, or --now, or --off.')
      const freeze = off
        ? await setFreeze(context, null)
        : begin
          ? await setFreeze(context, { from: begin, to })
          : await readFreeze(context.target)
      return { json: { ok: true, freeze }, text: freeze ? freezeText(freeze) : 'not frozen' }
    })
    .examples(`  $ deploy freeze --from 2025-09-09T19:30 --to 2025-09-09T22:00
  $ deploy freeze --now
  $ deploy freeze --off`)
  command.hasOwnTo = true
}
