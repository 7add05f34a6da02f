import { claimDeadline, formatEventTime, lastClaimDay } from './event-time.ts'

describe('formatEventTime', () => {
  // spec: event-time
  it.each([
    ['an offset of its own', '2025-08-20T20:05:30+07:00', '20:05 20/08/2025'],
    ['UTC, which is another day there', '2025-08-20T18:30:00Z', '01:30 21/08/2025'],
    ['milliseconds', '2025-08-20T13:05:30.123Z', '20:05 20/08/2025'],
    ['no offset: +07:00', '2025-08-20T20:05:30', '20:05 20/08/2025'],
    ['a blank for the T', '2025-08-20 20:05:30', '20:05 20/08/2025'],
    ['no seconds', '2025-08-20T20:05', '20:05 20/08/2025'],
    ["PostgreSQL's own text", '2025-08-20 13:05:30.123456+00', '20:05 20/08/2025'],
    ['an offset without a colon', '2025-08-20T20:05:30+0700', '20:05 20/08/2025'],
    ['a western offset', '2025-08-20T20:05:30-05:00', '08:05 21/08/2025'],
    ['small letters', '2025-08-20t13:05:30z', '20:05 20/08/2025'],
    ['blanks around', ' 2025-08-20T20:05:30 ', '20:05 20/08/2025'],
    ['a date alone', '2025-08-20', '20/08/2025'],
    ['a leap day', '2024-02-29', '29/02/2024'],
    ['midnight', '2025-09-07T00:00:00+07:00', '00:00 07/09/2025'],
  ])('a time is formatted: %s', (_, iso, shown) => {
    expect(formatEventTime(iso)).toBe(shown)
  })

  it.each([
    '',
    'hôm qua',
    '2025-02-30T10:00:00+07:00',
    '2025-02-29',
    '2025-13-01T10:00:00Z',
    '2025-00-10',
    '2025-08-20T25:00:00+07:00',
    '2025-08-20T10:61:00+07:00',
    '2025-08-20T10:00:00+99:00',
    '20/08/2025 10:00',
    '1755695130000',
    '2025-08-20T20:05:30+07:00 và nữa',
  ])('an unreadable time is shown as it came: %j', (text) => {
    expect(formatEventTime(text)).toBe(text)
  })
})

test.each([
  ['2025-09-09T20:00:00+07:00', '2025-10-09'],
  ['2026-01-31T20:00:00+07:00', '2026-02-28'],
  ['2028-01-30T20:00:00+07:00', '2028-02-29'],
  ['2026-12-31T20:00:00+07:00', '2027-01-31'],
])('the prizes of a draw at %s can be claimed to the end of %s', (start, day) => {
  expect(lastClaimDay(start)).toBe(day)
})

const code999k = { code: 'A', draw: 1, prize: 'Code 999k' }
const carUntil = '2025-10-29T23:59:59+07:00'
const car = {
  code: 'B',
  draw: 3,
  prize: 'Xe ô tô',
  delivery: { deliveredAt: null, until: carUntil },
}
const delivered = {
  ...car,
  delivery: { ...car.delivery, deliveredAt: '2025-10-01T09:00:00+07:00' },
}

test.each([
  ['the first', [car, code999k], '2025-10-09T23:59:59+07:00', '09/10/2025'],
  ['the first that has not lapsed', [code999k, car], '2025-10-10T00:00:00+07:00', '29/10/2025'],
  ['none that was delivered', [delivered], '2025-10-12T12:00:00+07:00', undefined],
  ['none after the last', [code999k, car], '2025-10-30T00:00:00+07:00', undefined],
])('the deadline of several prizes is that of %s', (_, wins, now, day) => {
  expect(claimDeadline(wins, new Date(now))).toBe(day)
})
