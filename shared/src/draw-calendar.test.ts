import { renderDrawCalendar } from './draw-calendar.ts'

const file = renderDrawCalendar()
/** Lines as a calendar reads them: folded ones joined. */
const lines = file.replaceAll('\r\n ', '').trimEnd().split('\r\n')
const values = (name: string) =>
  lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1))

// spec: draw-calendar
test('the calendar has the three draws in UTC', () => {
  expect(values('DTSTART')).toEqual(['20250909T130000Z', '20250919T130000Z', '20250929T130000Z'])
  expect(values('DTEND')).toEqual(['20250909T150000Z', '20250919T150000Z', '20250929T150000Z'])
})

test('each calendar event has an id, a stamp, a title and a reminder', () => {
  expect(new Set(values('UID')).size).toBe(3)
  expect(values('DTSTAMP')).toHaveLength(3)
  expect(values('SUMMARY')[2]).toBe('Quay thưởng vé số may mắn – Giai đoạn 3')
  expect(values('TRIGGER')).toEqual(['-PT15M', '-PT15M', '-PT15M'])
  expect(lines.filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(3)
  expect([lines[0], lines.at(-1)]).toEqual(['BEGIN:VCALENDAR', 'END:VCALENDAR'])
})

test('calendar lines fold at 75 octets without cutting letters', () => {
  const encoder = new TextEncoder()
  const raw = file.split('\r\n')
  expect(raw.some((line) => line.startsWith(' '))).toBe(true)
  for (const line of raw) expect(encoder.encode(line).length).toBeLessThanOrEqual(75)
  expect(file).not.toContain('\uFFFD')
  expect(file.endsWith('\r\n')).toBe(true)
})
