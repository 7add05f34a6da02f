import { expect, test } from '@jest/globals'
import { sharedPage, sharedPages } from './share.ts'

const host = 'facebook.com'

test.each([
  ['https://www.facebook.com/a/posts/1', 'facebook.com/a/posts/1'],
  ['http://m.facebook.com//a/posts/1/', 'facebook.com/a/posts/1'],
  ['  FACEBOOK.com/a#b  ', 'facebook.com/a'],
  ['https://vi-vn.facebook.com/x', 'facebook.com/x'],
  ['https://facebook.com/a/posts/1?fbclid=x&utm_source=y&mibextid=z', 'facebook.com/a/posts/1'],
  ['https://facebook.com/a/posts/1?one=1', 'facebook.com/a/posts/1'],
  [
    'https://facebook.com/permalink.php?story_fbid=1&id=2&ref=x',
    'facebook.com/permalink.php?id=2&story_fbid=1',
  ],
  ['https://facebook.com/permalink.php?id=2&story_fbid=1', 'facebook.com/permalink.php?id=2&story_fbid=1'],
  ...['%6eguyenbimat', 'Nguyenbimat', 'NGUYENBIMAT/', 'nguyen%E2%80%8Bbimat', '%2Fnguyen%62imat'].map(
    (path) => [`https://facebook.com/${path}`, 'facebook.com/nguyenbimat'],
  ),
  ['https://facebook.com/%C4%90%C3%B4', 'facebook.com/đô'],
  ['https://facebook.com/%zz', 'facebook.com/%zz'],
  ['https://facebook.com/watch/?v=7', 'facebook.com/watch?v=7'],
  ['https://facebook.com/photo.php?fbid=1&set=a.2', 'facebook.com/photo.php?fbid=1&set=a.2'],
])('the link %s leads to %s', (link, page) => {
  expect(sharedPage(link, host)).toBe(page)
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
  expect(sharedPages([...four.slice(1), 'https://m.facebook.com/posts/4/?fbclid=1'], host)).toBeUndefined()
  expect(sharedPages([...four.slice(1), 'https://example.com/1'], host)).toBeUndefined()
})
