import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A headless shell shows a page for a third of a browser's CPU. */
const SHELLS = ['chromium-headless-shell', 'chrome-headless-shell']
const WHOLE = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const ELSEWHERE = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome']

export function findBrowser({ whole = false } = {}): string | null {
  const { CHROMIUM_PATH: asked = '', PATH = '' } = process.env
  const isShellInPlaceOfWhole = whole && /headless[-_]shell$/.test(asked)
  if (asked && !isShellInPlaceOfWhole) return firstExisting([asked])

  const folders = PATH.split(delimiter)
  const names = [...(whole ? [] : SHELLS), ...WHOLE]
  const inPath = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return firstExisting([...inPath, ...ELSEWHERE])
}

const firstExisting = (paths: readonly string[]): string | null =>
  paths.find((path) => existsSync(path)) ?? null
