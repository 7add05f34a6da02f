import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder } from '@anniversary/api/test/folder'
import { ROOT } from '../packages.ts'

const folder = newFolder()
const renovate = JSON.parse(readFileSync(join(ROOT, 'renovate.json'), 'utf8'))

function check(message: string) {
  const file = join(folder, 'message')
  writeFileSync(file, message)
  const { status, stderr } = spawnSync(join(ROOT, '.githooks/commit-msg'), [file], {
    encoding: 'utf8',
  })
  return { status, stderr }
}
/** A subject of this many characters, each of two bytes in UTF-8. */
const subjectOf = (characters: number) => `loader: ${'đ'.repeat(characters - 'loader: '.length)}`

test.each([
  "loader: retry late chunks from the page's origin\n\nA body may be as long as it needs to be, on one line.\n",
  '# A comment of git.\ndeploy-server: warn when the webhook fails\n',
  'Merge branch "long" of a repository whose name is longer than the limit of seventy-two characters\n',
  'Revert "deploy: warn when the webhook fails, as a subject that was long enough before it was quoted"\n',
  `${renovate.commitMessagePrefix} update dependency @module-federation/enhanced to v2.13.0`,
  subjectOf(72),
])('the hook accepts %j', (message) => {
  expect(check(message)).toEqual({ status: 0, stderr: '' })
})

test.each([
  ['A shorter title', 'area: imperative summary'],
  ['Loader: retry late chunks', 'area: imperative summary'],
  ['loader: retry late chunks.', 'area: imperative summary'],
  ['loader:retry late chunks', 'area: imperative summary'],
  ['', 'area: imperative summary'],
  [subjectOf(73), 'has 73 characters, the limit is 72'],
])('the hook rejects the subject %j', (message, reason) => {
  const { status, stderr } = check(message)
  expect(status).toBe(1)
  expect(stderr).toContain(reason)
})
