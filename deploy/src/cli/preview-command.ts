import { formatEventTime } from '@anniversary/shared/contract/event-time'
import { Option } from 'commander'
import type { Preview } from '../site/preview.ts'
import type { CheckOptions } from '../verbs/derive.ts'
import { createPreview, stopPreview } from '../verbs/preview.ts'
import { parseDuration } from './arguments.ts'
import { requireBuilds } from './build-folders.ts'
import { addBuildCommand } from './changing-commands.ts'
import type { CommandContext, DeployCommand } from './command.ts'
import type { CommandResult } from './command-result.ts'
import { smokeText, warningText } from './text.ts'

interface PreviewOptions extends CheckOptions {
  readonly for: number
  readonly stop?: string
}

export function addPreviewCommand(program: DeployCommand): void {
  addBuildCommand(program, 'preview [builds...]')
    .description('Show builds inside the site to whoever has the link; members see nothing of it')
    .addOption(
      new Option('--for <time>', 'how long it stays: 12h, 7d')
        .argParser(parseDuration)
        .default(parseDuration('7d'), '7d'),
    )
    .option('--stop <id>', 'take the preview of this id away')
    .answers((context, builds: string[], { stop, ...options }: PreviewOptions) => {
      if (stop !== undefined) return remove(context, stop)
      return create(context, builds, options)
    })
    .examples(`  $ deploy preview ./mf-auth            the build in mf-auth/dist; prints the link
  $ deploy preview shell mf-auth --for 12h
  $ deploy preview --stop 0123456789abcdef0123456789abcdef

Files that the builds serve at the site's root (publicFiles) stay the live ones.`)
}

async function remove(context: CommandContext, stopped: string): Promise<CommandResult> {
  const dryRun = context.isDryRun
  const { id } = await stopPreview(context, stopped)
  return { json: { ok: true, dryRun, id }, text: `${id} ${dryRun ? 'would be' : 'is'} removed.` }
}

async function create(
  context: CommandContext,
  builds: readonly string[],
  options: PreviewOptions,
): Promise<CommandResult> {
  const dryRun = context.isDryRun
  const folders = requireBuilds(context, builds)
  const { preview, warnings, smoke } = await createPreview(context, folders, options)
  const text = [
    ...warnings.map(warningText),
    dryRun ? 'dry run: this preview would be accepted' : preview.link,
    `\n${shownIn(preview)}, until ${formatEventTime(preview.until)}\n`,
    ...smokeText(smoke),
  ]
  return { json: { ok: true, dryRun, ...preview, warnings, smoke }, text: text.join('\n') }
}

const shownIn = ({ shown }: Preview) => shown.map((version) => version.join(' ')).join(', ')
