import { dropDraft, readDraft, saveDraft } from './share-links.ts'

afterEach(() => sessionStorage.clear())

test('a draft belongs to one member and ends when it is dropped', () => {
  saveDraft('demo01', ['a', 'b', '', ''])
  expect(readDraft('demo01')).toEqual(['a', 'b', '', ''])
  expect(readDraft('demo02')).toEqual(['', '', '', ''])
  dropDraft('demo01')
  expect(readDraft('demo01')).toEqual(['', '', '', ''])
})

test.each([
  ['{', ['', '', '', '']],
  ['null', ['', '', '', '']],
  ['"text"', ['', '', '', '']],
  ['["a",7,null,"d","e"]', ['a', '', '', 'd']],
])('a draft of another shape, %s, becomes four texts', (saved, texts) => {
  sessionStorage.setItem('share-draft:demo01', saved)
  expect(readDraft('demo01')).toEqual(texts)
})

test('blocked storage means no draft', () => {
  jest.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
    throw new DOMException('blocked', 'SecurityError')
  })
  saveDraft('demo01', ['a', '', '', ''])
  dropDraft('demo01')
  expect(readDraft('demo01')).toEqual(['', '', '', ''])
})
