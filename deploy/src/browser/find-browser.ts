import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Headless shells: the engine alone, which shows a page for a third of the CPU. */
const SHELLS = ['chromium-headless-shell', 'chrome-headless-shell']
const WHOLE = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const ELSEWHERE = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome']

export function findBrowser({ whole = false } = {}): string | null {
  const asked = process.env.CHROMIUM_PATH
  if (asked && !(whole && /headless[-_]shell$/.test(asked))) return existsSync(asked) ? asked : null
  const folders = (process.env.PATH ?? '').split(delimiter)
  const names = whole ? WHOLE : [...SHELLS, ...WHOLE]
  const candidates = [
    ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...ELSEWHERE,
  ]
  return candidates.find((path) => existsSync(path)) ?? null
}
