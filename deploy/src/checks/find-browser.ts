import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const ELSEWHERE = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome']

/** Path of a Chromium: `CHROMIUM_PATH`, or an installed one; null when there is none. */
export function findBrowser(): string | null {
  const asked = process.env.CHROMIUM_PATH
  if (asked) return existsSync(asked) ? asked : null
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...ELSEWHERE]
  return candidates.find((path) => existsSync(path)) ?? null
}
