import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../packages.ts'

/**
 * A campaign is the files in `shared/campaign` (docs/use/campaign.md); code
 * names nothing of the present one.
 */

/** No build fills in these pages, so they repeat its colours, and the first its name. */
const ADMISSION = 'packaging/admission/turn.html'
const REPEATING = [ADMISSION, 'mf-megalive/public/megalive-sample.html']

const FOLDERS = ['shell', 'mf-*', 'shared', 'deploy-server', 'packaging']
const files = execFileSync('git', ['ls-files', ...FOLDERS], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter(
    (file) =>
      /^([^/]+\/(src|public)|packaging)\/.*\.(css|html|svg|tsx?)$|^[^/]+\/routes\.json$/.test(
        file,
      ) &&
      !/\.test\.|fixtures/.test(file) &&
      !REPEATING.includes(file),
  )
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const found = (pattern: RegExp, own: (text: string) => boolean = () => true, within = files) =>
  within.flatMap((file) =>
    [...read(file).matchAll(pattern)]
      .filter(([text]) => own(text))
      .map(([text]) => `${file}: ${text}`),
  )
const { name } = JSON.parse(read('shared/campaign/texts.json'))

/** Black, white and grey belong to no campaign. */
const isGrey = (colour: string) => /^#(..)\1\1(..)?$|^#(.)\3\3.?$/.test(colour)
const FACEBOOK = ['#0b5fcc', '#0a51ae']

const COLOURS = /(?<=[\s"',(])#([\da-f]{8}|[\da-f]{6}|[\da-f]{3,4})\b(?!\()/gi

test('code names colours of shared/src/tokens.css or of the campaign', () => {
  expect(found(COLOURS, (text) => !isGrey(text) && !FACEBOOK.includes(text))).toEqual([])
})

test('the name of the campaign appears in its texts only', () => {
  expect(found(new RegExp(name, 'gi'))).toEqual([])
})

test("pages that no build fills in have the campaign's colours and name", () => {
  const theme = read('shared/campaign/theme.css')
  const isForeign = (colour: string) => !isGrey(colour) && !theme.includes(colour.slice(0, 7))
  expect(found(COLOURS, isForeign, REPEATING)).toEqual([])
  expect(read(ADMISSION).replace('<br>', ' ')).toContain(`>${name}<`)
})
