import { dropDraft, isShareLink, readDraft, saveDraft } from './share-links.ts'

afterEach(() => sessionStorage.clear())

// spec: share-host
test.each([
  ['https://www.facebook.com/posts/1', true],
  ['HTTPS://WWW.FACEBOOK.COM/POSTS/1', true],
  ['facebook.com', true],
  ['https://m.facebook.com/story.php?id=1', true],
  ['https://facebook.org/posts/1', false],
  ['https://fb.com/posts/1', false],
  ['   ', false],
  ['', false],
])('%p is a share link: %p', (link, expected) => {
  expect(isShareLink(link, 'facebook.com')).toBe(expected)
})

test('the configured host is compared in any case too', () => {
  expect(isShareLink('https://zalo.me/1', 'ZALO.me')).toBe(true)
})

test('a draft belongs to one member and ends when it is dropped', () => {
  saveDraft('demo01', ['a', 'b', '', ''])
  expect(readDraft('demo01')).toEqual(['a', 'b', '', ''])
  expect(readDraft('demo02')).toEqual(['', '', '', ''])
  dropDraft('demo01')
  expect(readDraft('demo01')).toEqual(['', '', '', ''])
})

test.each(['{', 'null', '"text"', '{"0":"a"}'])('a damaged draft %p is an empty one', (saved) => {
  sessionStorage.setItem('share-draft:demo01', saved)
  expect(readDraft('demo01')).toEqual(['', '', '', ''])
})

test('a draft of another shape is brought to four texts', () => {
  sessionStorage.setItem('share-draft:demo01', '["a",7,null,"d","e"]')
  expect(readDraft('demo01')).toEqual(['a', '', '', 'd'])
})

test('blocked storage means no draft, not a crash', () => {
  const blocked = () => {
    throw new DOMException('blocked', 'SecurityError')
  }
  jest.spyOn(Storage.prototype, 'getItem').mockImplementation(blocked)
  jest.spyOn(Storage.prototype, 'setItem').mockImplementation(blocked)
  jest.spyOn(Storage.prototype, 'removeItem').mockImplementation(blocked)
  saveDraft('demo01', ['a', '', '', ''])
  dropDraft('demo01')
  expect(readDraft('demo01')).toEqual(['', '', '', ''])
})
