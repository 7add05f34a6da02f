import { describe, expect, test } from '@jest/globals'
import { areShareLinks, normalizedShareLink } from './share.ts'

const host = 'facebook.com'

describe('a share link', () => {
  test.each([
    ['https://www.facebook.com/a/posts/1', 'facebook.com/a/posts/1'],
    ['http://m.facebook.com/a/posts/1/', 'facebook.com/a/posts/1'],
    ['  FACEBOOK.com/a?b=1  ', 'facebook.com/a?b=1'],
    ['https://vi-vn.facebook.com/x', 'vi-vn.facebook.com/x'],
  ])('%s is told as %s', (link, normal) => {
    expect(normalizedShareLink(link, host)).toBe(normal)
  })

  test.each([
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
  ])('%s is none', (link) => {
    expect(normalizedShareLink(link, host)).toBeNull()
  })
})

// spec: four-share-links
test('four are wanted, and no two of one page', () => {
  const four = [1, 2, 3, 4].map((n) => `https://www.facebook.com/posts/${n}`)
  expect(areShareLinks(four, host)).toBe(true)
  expect(areShareLinks(four.slice(1), host)).toBe(false)
  expect(areShareLinks([...four.slice(1), 'https://m.facebook.com/posts/4/'], host)).toBe(false)
})
