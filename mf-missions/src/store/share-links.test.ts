import { dropShareDraft, readShareDraft, saveShareDraft } from './share-links.ts'

afterEach(() => sessionStorage.clear())

test('a draft belongs to one member and ends when it is dropped', () => {
  saveShareDraft('demo01', ['a', 'b', '', ''])
  expect(readShareDraft('demo01')).toEqual(['a', 'b', '', ''])
  expect(readShareDraft('demo02')).toEqual(['', '', '', ''])
  dropShareDraft('demo01')
  expect(readShareDraft('demo01')).toEqual(['', '', '', ''])
})

test.each([
  ['{', ['', '', '', '']],
  ['null', ['', '', '', '']],
  ['"text"', ['', '', '', '']],
  ['["a",7,null,"d","e"]', ['a', '', '', 'd']],
])('a draft of another shape, %s, becomes four texts', (saved, texts) => {
  sessionStorage.setItem('share-draft:demo01', saved)
  expect(readShareDraft('demo01')).toEqual(texts)
})

test('blocked storage means no draft', () => {
  jest.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
    throw new DOMException('blocked', 'SecurityError')
  })
  saveShareDraft('demo01', ['a', '', '', ''])
  dropShareDraft('demo01')
  expect(readShareDraft('demo01')).toEqual(['', '', '', ''])
})
