import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { sharedPage, sharedPages } from './share.ts'

const host = 'facebook.com'

const start = fc.constantFrom(
  '  FACEBOOK.com/',
  'http://m.facebook.com//',
  'https://vi-vn.facebook.com/',
)
/** A letter of the page's path, and a way to write it. `%zz` is no escape. */
const letter = fc.constantFrom('a A', 'a %61', 'a a%E2%80%8B', 'đ %C4%90', 'ễ Ê\u0303', '%zz %ZZ')
const slash = fc.constantFrom('/ /', '/ //', '/ %2F')
const path = fc
  .tuple(letter, slash, letter, letter)
  .map((parts) => parts.map((part) => part.split(' ')))
const NAMING = ['fbid=1', 'id=2', 'set=a.2', 'story_fbid=3', 'v=7']
const query = fc.shuffledSubarray([
  ...NAMING,
  'fbclid=x',
  'utm_source=y',
  'mibextid=z',
  'one=1',
  'ref=x',
])
const end = fc.constantFrom('', '#b', '  ')

test('a link leads to the same page however it is written, and so does that page', () => {
  fc.assert(
    fc.property(start, path, query, end, (before, parts, parameters, after) => {
      const naming = NAMING.filter((one) => parameters.includes(one)).join('&')
      const page = `facebook.com/${parts.map(([plain]) => plain).join('')}${naming && `?${naming}`}`
      const written = parts.map(([, way]) => way).join('')
      for (const link of [`${before}${written}/?${parameters.join('&')}${after}`, page])
        expect(sharedPage(link, host)).toBe(page)
    }),
  )
})

test.each([
  'https://facebook.com',
  'facebook.com/?fbclid=1',
  'https://www.facebook.com//',
  'https://example.com/facebook.com',
  'https://facebook.com.example.com/x',
  'https://notfacebook.com/x',
  'https://facebook.com@example.com/x',
  'https://user:secret@facebook.com/x',
  'javascript:alert("facebook.com")',
  'ftp://facebook.com/x',
  'facebook.com:99999/x',
  'https://',
  '',
])('the link %s leads to no page', (link) => {
  expect(sharedPage(link, host)).toBeNull()
})

// spec: four-share-links
test('four links must lead to four different pages', () => {
  const four = [1, 2, 3, 4].map((n) => `https://www.facebook.com/posts/${n}`)
  expect(sharedPages(four, host)).toEqual([1, 2, 3, 4].map((n) => `facebook.com/posts/${n}`))
  expect(sharedPages(four.slice(1), host)).toBeUndefined()
  expect(sharedPages([...four, 'https://facebook.com/posts/5'], host)).toBeUndefined()
  expect(
    sharedPages([...four.slice(1), 'https://m.facebook.com/posts/4/?fbclid=1'], host),
  ).toBeUndefined()
  expect(sharedPages([...four.slice(1), 'https://example.com/1'], host)).toBeUndefined()
})
