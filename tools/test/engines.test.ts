import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findEngine } from './engines.ts'

const realPath = process.env.PATH
let folder = ''
let said: string[] = []
const say = (line: string) => void said.push(line)
const add = (program: string) => writeFileSync(join(folder, program), '')

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'engines-'))
  process.env.PATH = folder
  said = []
})

afterEach(() => {
  process.env.PATH = realPath
  rmSync(folder, { recursive: true })
})

test('an engine that is there is used', () => {
  add('firefox-esr')
  expect(findEngine('firefox', say, say)).toBe(join(folder, 'firefox-esr'))
  expect(said).toEqual([])
})

test('an engine of which a part is missing is installed', () => {
  add('WebKitWebDriver')
  const install = (packages: string) => {
    say(packages)
    add('Xvfb')
  }
  expect(findEngine('webkit', say, install)).toBe(join(folder, 'WebKitWebDriver'))
  expect(said).toEqual(['webkit2gtk-driver xvfb xauth'])
})

test('one line says why an engine is skipped', () => {
  expect(findEngine('webkit', say, null)).toBeUndefined()
  expect(findEngine('firefox', say, () => undefined)).toBeUndefined()
  expect(said).toEqual([
    'Skipped: webkit, for want of WebKitWebDriver and Xvfb. Only root on Debian can install webkit2gtk-driver xvfb xauth.',
    'Skipped: firefox, for want of firefox-esr. Could not install firefox-esr.',
  ])
})
