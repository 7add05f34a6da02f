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
  expect(findEngine('firefox', say)).toBe(join(folder, 'firefox-esr'))
  expect(said).toEqual([])
})

test('one line says why an engine is skipped', () => {
  add('WebKitWebDriver')
  expect(findEngine('webkit', say)).toBeUndefined()
  expect(said).toEqual(['Skipped: webkit, for want of Xvfb (Debian: webkit2gtk-driver xvfb xauth)'])
})
