import { formatEventTime } from '@anniversary/shared/contract/event-time'
import { createRejection } from '../rejected.ts'
import { type Context, NOTICE } from '../site/context.ts'
import { noticeText } from '../site/notice.ts'
import { changeSite, type Outcome } from './change.ts'

const MOST_CHARACTERS = 140
const LONGEST_HOURS = 24

export interface NoticeWish {
  readonly text: string
  readonly until: (now: Date) => Date
}

/** Pages learn of it from the pointer. */
export const changeNotice = async (context: Context, wish: NoticeWish | 'off'): Promise<Outcome> =>
  await changeSite(context, 'notice', { name: NOTICE }, (site) => {
    const { notice: _, ...rest } = site
    if (wish === 'off') return { site: rest, summary: 'no notice' }

    const until = noticeEnd(wish, context.target.now())
    const notice = { text: plainSentence(wish.text), until }
    return { site: { ...rest, notice }, summary: noticeText(notice) }
  })

/** @throws Rejected for what a banner cannot show as one plain sentence */
function plainSentence(given: string): string {
  const text = given.normalize().trim()
  const refuse = (found: string) =>
    createRejection('site', 'the notice', found, 'Write one plain sentence that members understand')

  if (text === '') throw refuse('it is empty')
  // Line breaks, and invisible or bidirectional controls.
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(text)) throw refuse('it has a line break or control character')
  const { length } = [...text]
  if (length > MOST_CHARACTERS)
    throw refuse(`it has ${length} characters, and ${MOST_CHARACTERS} is the most`)
  return text
}

/** @throws Rejected for a time that has passed or is too far away */
function noticeEnd({ until: untilFrom }: NoticeWish, now: Date): string {
  const until = untilFrom(now)
  const refuse = (found: string, todo: string) => createRejection('site', '--until', found, todo)
  const found = `${formatEventTime(until.toISOString())} in Viet Nam`

  if (until <= now)
    throw refuse(`${found} has passed`, 'Name a later time; tomorrow needs its date')
  if (until.getTime() - now.getTime() > LONGEST_HOURS * 3_600_000)
    throw refuse(
      `${found} is more than ${LONGEST_HOURS} hours away`,
      'Name an earlier time: what holds for longer belongs on a page',
    )
  return until.toISOString()
}
