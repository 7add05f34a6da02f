import { UsageError } from '../rejected.ts'
import { activeNoticeOf, noticeText } from '../site/notice.ts'
import { currentSiteRecord } from '../site/record.ts'
import { changeNotice, type NoticeWish } from '../verbs/notice.ts'
import { parseTimeOrClock } from './arguments.ts'
import { addChangingCommand } from './changing-commands.ts'
import { commandResultOf, type DeployCommand } from './command.ts'

interface NoticeOptions {
  readonly until?: (now: Date) => Date
  readonly off?: true
}

/** Returns undefined to show the notice. @throws UsageError for half a wish */
function readWish(
  text: string | undefined,
  { until, off }: NoticeOptions,
): NoticeWish | 'off' | undefined {
  const given = [text, until, off].filter((one) => one !== undefined).length
  if (given === 0) return undefined
  if (given === 1 && off) return 'off'
  const isWhole = text !== undefined && until !== undefined
  if (isWhole && !off) return { text, until }
  throw new UsageError('Name a text and --until, or --off.')
}

export function addNoticeCommand(program: DeployCommand): void {
  addChangingCommand(program, 'notice [text]')
    .description(
      'Show a sentence on every page within a minute, also during a freeze; without text, print it',
    )
    .option(
      '--until <time>',
      'when it goes by itself: 21:00, or 2025-09-09T21:00, in Viet Nam',
      parseTimeOrClock,
    )
    .option('--off', 'take it away')
    .answers(async (context, text: string | undefined, options: NoticeOptions) => {
      const wish = readWish(text, options)
      if (wish) return await commandResultOf(context, changeNotice(context, wish))

      const notice = activeNoticeOf(await currentSiteRecord(context.target), context.target.now())
      if (!notice) return { json: { ok: true, notice: null }, text: 'no notice' }
      return { json: { ok: true, notice }, text: noticeText(notice) }
    })
    .examples(`  $ deploy notice "Buổi quay bắt đầu lúc 20:15" --until 21:00
  $ deploy notice --off`)
}
