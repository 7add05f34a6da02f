import { hostShareTable, remoteShareTable, sharedRanges } from './share-table.ts'

test('the host offers its installed react and react-dom, each once and at once', () => {
  const version = expect.stringMatching(/^19\.\d+\.\d+/)
  const shared = (shareKey: string) => ({ shareKey, version, eager: true })
  expect(hostShareTable(false)).toEqual({ react: shared('react'), 'react-dom': shared('react-dom') })
})

test('a remote brings no copy, and refuses another major', () => {
  for (const shared of Object.values(remoteShareTable()))
    expect(shared).toMatchObject({ import: false, strictVersion: true, requiredVersion: '^19.0.0' })
})

test('a remote may work with an older react than the installed one', () => {
  expect(sharedRanges({ react: '^18.2.0 || ^19.0.0' })).toEqual({
    react: '^18.2.0 || ^19.0.0',
    'react-dom': '^19.0.0',
  })
})

test.each(['>=18', '^18 || ^19', '~19.1.0', '^0.14.0', '*'])('no range but of carets: %s', (react) => {
  expect(() => sharedRanges({ react })).toThrow(`react: write the range "${react}" as`)
})
