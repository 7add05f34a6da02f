import type { Command } from 'commander'
import type { PageSize } from '../checks/page-sizes.ts'
import { allPreviews, type Preview } from '../site/preview.ts'
import { createPreview, stopPreview } from '../verbs/preview.ts'
import { examples, previewTime } from './arguments.ts'
import { type Bringing, bringing, optionsOf } from './changing-verbs.ts'
import { contextOf } from './context.ts'
import { findBuilds } from './find-builds.ts'
import { printJson, say, table } from './print.ts'

interface Options extends Bringing {
  readonly for: number
  readonly list?: boolean
  readonly stop?: string
}

export function addPreviewVerb(program: Command): void {
  bringing(program, 'preview [builds...]')
    .description('Show builds inside the site to whoever has the link; members see nothing of it')
    .option(
      '--for <time>',
      'how long the link is valid: 12h, 7d; at most 14d',
      previewTime,
      previewTime('7d'),
    )
    .option('--list', 'the previews there are')
    .option('--stop <id>', 'take a preview away')
    .action(async (builds: string[], options: Options, command: Command) => {
      const { target, json, dryRun } = await contextOf(command)
      if (options.list) {
        const previews = await allPreviews(target)
        return json ? printJson(previews) : printPreviews(previews)
      }
      if (options.stop !== undefined) {
        const { id } = await stopPreview(target, options.stop)
        return json ? printJson({ ok: true, dryRun, id }) : say(`${id} is gone.`)
      }
      const { preview, sizes, warnings } = await createPreview(target, findBuilds(builds), {
        ...optionsOf(options),
        time: options.for,
      })
      if (json) return printJson({ ok: true, dryRun, ...preview, sizes, warnings })
      for (const warning of warnings) say(`! ${warning}`)
      say(dryRun ? 'dry run: this would be let through' : preview.link)
      say(`\n${whatIn(preview)}, until ${preview.until}\n`)
      printSizes(sizes)
    })
    .addHelpText(
      'after',
      examples(`  $ deploy preview ./mf-auth            the build in mf-auth/dist; prints the link
  $ deploy preview shell mf-auth --for 12h
  $ deploy preview --list
  $ deploy preview --stop 0123456789abcdef0123456789abcdef

Files that the builds serve at the site's root (publicFiles) stay the live ones.`),
    )
}

const whatIn = ({ shown, broken }: Preview): string =>
  broken ? 'its record cannot be read' : shown.map((version) => version.join(' ')).join(', ')

const printPreviews = (previews: readonly Preview[]): void =>
  table([
    ['id', 'until', 'by', 'what'],
    ...previews.map((preview) => [preview.id, preview.until, preview.by, whatIn(preview)]),
  ])

/** Indented by four, so that Markdown keeps the columns when a pipeline posts it as a comment. */
const printSizes = (sizes: readonly PageSize[]): void =>
  table([
    ['    package', 'page', 'brotli bytes', 'against live'],
    ...sizes.map(({ package: name, page, bytes, live }) => [
      `    ${name}`,
      page,
      String(bytes),
      live === null ? 'new' : `${bytes >= live ? '+' : ''}${bytes - live}`,
    ]),
  ])
