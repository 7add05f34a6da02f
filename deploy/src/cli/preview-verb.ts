import type { PageSize } from '../checks/page-sizes.ts'
import { allPreviews, type Preview } from '../site/preview.ts'
import { createPreview, stopPreview } from '../verbs/preview.ts'
import { duration } from './arguments.ts'
import { type Bringing, bringing, optionsOf } from './changing-verbs.ts'
import { findBuilds } from './find-builds.ts'
import { table, verdictsText, warningText } from './text.ts'
import type { Verb } from './verb.ts'

interface Options extends Bringing {
  readonly for: number
  readonly list?: boolean
  readonly stop?: string
}

export function addPreviewVerb(program: Verb): void {
  bringing(program, 'preview [builds...]')
    .description('Show builds inside the site to whoever has the link; members see nothing of it')
    .option('--for <time>', 'how long it stays: 12h, 7d', duration, duration('7d'))
    .option('--list', 'the previews there are')
    .option('--stop <id>', 'take a preview away')
    .answers(async ({ target, dryRun }, builds: string[], options: Options) => {
      if (options.list) {
        const previews = await allPreviews(target)
        return { json: previews, text: listText(previews) }
      }
      if (options.stop !== undefined) {
        const { id } = await stopPreview(target, options.stop)
        return { json: { ok: true, dryRun, id }, text: `${id} is gone.` }
      }
      const { preview, sizes, warnings, verdicts } = await createPreview(target, findBuilds(builds), {
        ...optionsOf(options),
        time: options.for,
      })
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
  $ deploy preview --list
  $ deploy preview --stop 0123456789abcdef0123456789abcdef

Files that the builds serve at the site's root (publicFiles) stay the live ones.`)
}

const shownIn = ({ shown }: Preview): string => shown.map((version) => version.join(' ')).join(', ')

const listText = (previews: readonly Preview[]): string =>
  table([
    ['id', 'until', 'by', 'what'],
    ...previews.map((preview) => [preview.id, preview.until, preview.by, shownIn(preview)]),
  ])

/** Indented by four, so that Markdown keeps the columns when a pipeline posts it as a comment. */
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
