import { DRAWS, EVENT_UTC_OFFSET, STAGES } from './contract/event.ts'
import { eventTexts as texts } from './texts.ts'

/**
 * An iCalendar file (RFC 5545), published because web views of apps ignore
 * downloads that a page makes. Its bytes never differ: a second import updates
 * the same entries by their UID.
 */
export function renderDrawCalendar(): string {
  const created = utc(`${STAGES[0]?.firstDay}T00:00:00${EVENT_UTC_OFFSET}`)
  const events = DRAWS.flatMap(({ stage, start, end }) => [
    'BEGIN:VEVENT',
    `UID:anniversary-draw-${stage}@${start.slice(0, 10)}`,
    `DTSTAMP:${created}`,
    `DTSTART:${utc(start)}`,
    `DTEND:${utc(end)}`,
    `SUMMARY:${escaped(texts.calendar.event(stage))}`,
    `DESCRIPTION:${escaped(texts.calendar.description)}`,
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    'TRIGGER:-PT15M',
    `DESCRIPTION:${escaped(texts.calendar.event(stage))}`,
    'END:VALARM',
    'END:VEVENT',
  ])
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//anniversary//draws//VI',
    ...events,
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

const utc = (iso: string) => new Date(iso).toISOString().replace(/[-:]|\.\d+/g, '')

const escaped = (text: string) => text.replace(/[\\;,]/g, '\\$&').replace(/\n/g, '\\n')

/**
 * A line has at most 75 octets; a longer one goes on after a line break and a
 * space. 18 letters always fit.
 */
const folded = (line: string) => line.replace(/.{18}(?=.)/gu, '$&\r\n ')
