import { execFileSync } from 'node:child_process'
import path from 'node:path'

test("a built remote runs on its host's React or fails alone", () => {
  const program = path.join(import.meta.dirname, '../test/federated-build.ts')
  const printed = execFileSync(process.execPath, ['--import', 'tsx/esm', program], {
    encoding: 'utf8',
    stdio: 'pipe',
  })
  const unsatisfied = (version: string) => expect.stringContaining(`Unsatisfied version ${version} of shared`)
  expect(JSON.parse(printed)).toEqual({
    versions: {
      ours: '19.2.9',
      // The copy in use, although a newer one is offered.
      another: '19.3.1',
      'an older minor': unsatisfied('19.1.4'),
      'React 18': unsatisfied('18.3.1'),
      'no React': unsatisfied('none'),
    },
    // An update that moves upstream's files would bring its runtime back onto the page.
    hasUpstream: false,
  })
})
