import fc from 'fast-check'
import { INVISIBLE } from '../testing/spellings.ts'
import { firstLinkProblem, LONGEST_LINK, readShareLinks } from './share-links.ts'

const host = 'facebook.com'
function pageOf(text: string, of = host) {
  const [reading] = readShareLinks([text], of)
  return reading?.problem ?? reading?.page
}

const start = fc.constantFrom(
  '  FACEBOOK.com/',
  'http://m.facebook.com//',
  'https://vi-vn.facebook.com/',
  'Đại tiệc sinh nhật https://www.facebook.com/',
  '(https:// www.facebook.com/',
  '“https://www.facebook.com/',
)
/** A letter of the page's path, and a way to write it. `%zz` is no escape. */
const letter = fc.constantFrom('a A', 'a %61', 'a a%E2%80%8B', 'đ %C4%90', 'ễ Ê\u0303', '%zz %ZZ')
const slash = fc.constantFrom('/ /', '/ //', '/ %2F')
const path = fc
  .tuple(letter, slash, letter, letter)
  .map((parts) => parts.map((part) => part.split(' ')))
const TRACKING = ['fbclid=x', 'utm_source=y', 'mibextid=z', 'one=1', 'ref=x', 'id=7', 'v=2']
const query = fc.shuffledSubarray(TRACKING)
const end = fc.constantFrom('', '#b', '  ', ')', '.', '”', ...INVISIBLE)

test('a link leads to the same page however it is written', () => {
  fc.assert(
    fc.property(start, path, query, end, (before, parts, parameters, after) => {
      const page = `facebook.com/p/${parts.map(([plain]) => plain).join('')}`
      const written = parts.map(([, way]) => way).join('')
      expect(pageOf(`${before}p/${written}/?${parameters.join('&')}${after}`)).toBe(page)
    }),
  )
})

function ledOn(times: number): string {
  if (times === 0) return 'https://facebook.com/an/posts/1'
  return `https://l.facebook.com/l.php?u=${encodeURIComponent(ledOn(times - 1))}`
}
const POST = 'https://www.facebook.com/permalink.php?story_fbid=3&id=2'

test.each([
  ['facebook.com/constructor.an/posts/1?id=2', 'facebook.com/constructor.an/posts/1'],
  [POST, 'facebook.com/permalink?id=2&story_fbid=3'],
  [
    `https://l.facebook.com/l.php?u=${encodeURIComponent(POST)}&h=AT1`,
    'facebook.com/permalink?id=2&story_fbid=3',
  ],
  [
    `https://m.facebook.com/login.php?next=${encodeURIComponent(POST)}&refsrc=x`,
    'facebook.com/permalink?id=2&story_fbid=3',
  ],
  [
    `https://www.facebook.com/login/?next=${encodeURIComponent('/groups/1/permalink/2/')}`,
    'facebook.com/groups/1/posts/2',
  ],
  ['https://www.facebook.com/photo.php?fbid=1&set=a.2', 'facebook.com/photo?fbid=1'],
  ['https://www.facebook.com/photo/?fbid=1&type=3', 'facebook.com/photo?fbid=1'],
  ['https://www.facebook.com/watch/?v=9&ref=x', 'facebook.com/watch?v=9'],
  ['https://www.facebook.com/an/posts/pfbid0abc?id=4&v=1', 'facebook.com/an/posts/pfbid0abc'],
  ['https://www.facebook.com/login.an/posts/1', 'facebook.com/login.an/posts/1'],
  [`${POST} https://example.com/`, 'facebook.com/permalink?id=2&story_fbid=3'],
  ['facebook.com/story.php?story_fbid=3&id=2&v=1', 'facebook.com/story?id=2&story_fbid=3'],
  ['facebook.com/permalink.php?story_fbid=&id=2', 'facebook.com/permalink?id=2'],
  ['facebook.com/profile.php?id=7', 'facebook.com/profile?id=7'],
  ['facebook.com/video.php?v=7', 'facebook.com/video?v=7'],
  ['facebook.com/media/set/?set=a.7', 'facebook.com/media/set?set=a.7'],
  [
    'facebook.com/groups/1?multi_permalinks=2&id=3',
    'facebook.com/groups/1?id=3&multi_permalinks=2',
  ],
  ['facebook.com/an/sharer/1', 'facebook.com/an/sharer/1'],
  ['facebook.com/an/login/1', 'facebook.com/an/login/1'],
  ['facebook.com/an/x.php', 'facebook.com/an/x.php'],
  ['facebook.com/an.php/x', 'facebook.com/an.php/x'],
  ['xem ,; ([*facebook.com/an/posts/1*]).!', 'facebook.com/an/posts/1'],
  ['facebook.com/an(1', 'facebook.com/an(1'],
  ['http://   facebook.com/an/posts/1', 'facebook.com/an/posts/1'],
  ['facebook.com/an/%00posts/1%1B', 'facebook.com/an/posts/1'],
  [ledOn(3), 'facebook.com/an/posts/1'],
  [
    `facebook.com/${'x'.repeat(LONGEST_LINK - 21)}`,
    `facebook.com/${'x'.repeat(LONGEST_LINK - 21)}`,
  ],
])('the link %s leads to %s', (link, page) => {
  expect(pageOf(link)).toBe(page)
})

// spec: share-host
test.each([
  ['https://facebook.com', 'no-post'],
  ['facebook.com/?fbclid=1', 'no-post'],
  ['https://www.facebook.com//', 'no-post'],
  ['https://www.facebook.com/login/', 'no-post'],
  ['https://l.facebook.com/l.php?h=1', 'no-post'],
  ['https://www.facebook.com/sharer/sharer.php?u=https%3A%2F%2Fevent.example', 'no-post'],
  [`https://l.facebook.com/l.php?u=${encodeURIComponent('https://example.com/1')}`, 'foreign'],
  ['https://example.com/facebook.com', 'foreign'],
  ['https://facebook.com.example.com/x', 'foreign'],
  ['https://notfacebook.com/x', 'foreign'],
  ['https://facebook.com@example.com/x', 'foreign'],
  ['https://user:secret@facebook.com/x', 'foreign'],
  ['https://user@facebook.com/x', 'foreign'],
  ['https://:secret@facebook.com/x', 'foreign'],
  ['x-https://facebook.com:x/', 'foreign'],
  ['xem javascript:x//facebook.com/x', 'foreign'],
  ['https://www.facebook.com/sharer', 'no-post'],
  ['https://l.facebook.com/l.php?u=https%3A%2F%2F%5B', 'no-post'],
  [ledOn(4), 'no-post'],
  ['javascript:alert("facebook.com")', 'no-post'],
  ['ftp://facebook.com/x', 'foreign'],
  ['facebook.com:99999/x', 'foreign'],
  ['https://fb.watch/abc', 'foreign'],
  ['https://', 'foreign'],
  ['Đã chia sẻ', 'foreign'],
  ['\u200b ', 'empty'],
  [`${POST} https://www.facebook.com/an/posts/1`, 'several'],
  ['http://facebook.com/1http://facebook.com/2', 'several'],
  [`https://www.facebook.com/an/posts/1?x=${'y'.repeat(2048)}`, 'too-long'],
])('the text %s is refused as %s', (text, problem) => {
  expect(pageOf(text)).toBe(problem)
})

test("another share host's parameters name its posts", () => {
  expect(pageOf('https://blog.example.vn/?p=7&utm_source=x', 'example.vn')).toBe('no-post')
  expect(pageOf('https://blog.example.vn/x?p=7&utm_source=x', 'example.vn')).toBe(
    'example.vn/x?p=7',
  )
  const all = 'fbid=2&id=1&multi_permalinks=4&p=7&set=5&story_fbid=3&v=6'
  expect(pageOf(`example.vn/x?${all}&q=8`, 'example.vn')).toBe(`example.vn/x?${all}`)
})

test.each([
  [[''], 'Link 1: Chưa có link'],
  [['facebook.com/1', 'example.com/1'], 'Link 2: Link phải chứa facebook.com'],
  [['facebook.com/'], 'Link 1: Link này không dẫn đến một bài đăng'],
  [['facebook.com/1 facebook.com/2'], 'Link 1: Mỗi ô chỉ dán một link'],
  [[`facebook.com/${'x'.repeat(LONGEST_LINK)}`], 'Link 1: Link quá dài'],
  [['facebook.com/1', 'facebook.com/2', 'facebook.com/2'], 'Link 3: Link này trùng với link 2'],
  [['facebook.com/1', 'facebook.com/2'], undefined],
])('of %j the member reads %s', (texts, sentence) => {
  expect(firstLinkProblem(texts, host)).toBe(sentence)
})

// spec: four-share-links
test('the second link of one post names the first', () => {
  const links = [1, 2, 3].map((n) => `https://www.facebook.com/an/posts/${n}`)
  const readings = readShareLinks([...links, 'm.facebook.com/an/posts/2/?fbclid=1'], host)
  expect(readings.map(({ problem }) => problem)).toEqual([undefined, undefined, undefined, 'same'])
  expect(readings[3]).toEqual({ problem: 'same', sameAs: 2 })
})

test('stories differ where the browser lacks URLSearchParams.size', () => {
  jest.spyOn(URLSearchParams.prototype, 'size', 'get').mockReturnValue(undefined as never) // no number, as there
  const links = [3, 4].map((n) => `https://www.facebook.com/permalink.php?story_fbid=${n}&id=2`)
  expect(readShareLinks(links, host).map(({ problem }) => problem)).toEqual([undefined, undefined])
})
