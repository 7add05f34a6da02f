import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../packages.ts'

/**
 * A campaign is the files in `shared/campaign` (docs/use/campaign.md); code
 * names nothing of the present one.
 */

const files = execFileSync('git', ['ls-files', 'shell', 'mf-*', 'shared'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter(
    (file) =>
      /^[^/]+\/(src\/.*\.(css|svg|tsx?)|routes\.json)$/.test(file) &&
      !/\.test\.|fixtures/.test(file),
  )
const found = (pattern: RegExp, own: (text: string) => boolean = () => true) =>
  files.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(pattern)]
      .filter(([text]) => own(text))
      .map(([text]) => `${file}: ${text}`),
  )

/** Black, white and grey belong to no campaign. */
const isGrey = (colour: string) => /^#(..)\1\1(..)?$|^#(.)\3\3.?$/.test(colour)
const FACEBOOK = ['#0b5fcc', '#0a51ae']

test('code names colours of shared/src/tokens.css or of the campaign', () => {
  const colours = /(?<=[\s"',(])#([\da-f]{8}|[\da-f]{6}|[\da-f]{3,4})\b(?!\()/gi
  expect(found(colours, (text) => !isGrey(text) && !FACEBOOK.includes(text))).toEqual([])
})

test('the name of the campaign appears in its texts only', () => {
  const { name } = JSON.parse(readFileSync(join(ROOT, 'shared/campaign/texts.json'), 'utf8'))
  expect(found(new RegExp(name, 'gi'))).toEqual([])
})
