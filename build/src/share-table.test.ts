import { sharedRanges } from './share-table.ts'

test('a remote may work with an older react than the installed one', () => {
  expect(sharedRanges({ react: '^18.2.0 || ^19.0.0' })).toEqual({
    react: '^18.2.0 || ^19.0.0',
    'react-dom': '^19.0.0',
  })
})

test.each(['>=18', '^18 || ^19', '~19.1.0', '^0.14.0', '*'])('no range but of carets: %s', (react) => {
  expect(() => sharedRanges({ react })).toThrow(`react: write the range "${react}" as`)
})
