import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installFromDebian, isRootOnDebian, requireBrowser, run } from './browser.ts'

export const ENGINES = ['chromium', 'firefox', 'webkit'] as const
export type Engine = (typeof ENGINES)[number]

/** Debian's packages, and the programs that they bring; the first one is started. */
const NEEDS: Readonly<
  Record<Exclude<Engine, 'chromium'>, { packages: string; programs: readonly string[] }>
> = {
  firefox: { packages: 'firefox-esr', programs: ['firefox-esr'] },
  webkit: { packages: 'webkit2gtk-driver xvfb xauth', programs: ['WebKitWebDriver', 'Xvfb'] },
}

const inPath = (program: string): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((file) => existsSync(file))

/**
 * Path of the engine's program. Root on Debian installs it where it is missing.
 * @returns undefined, and says why in a line, where the engine is missing
 */
export function findEngine(engine: Engine, say: (line: string) => void): string | undefined {
  if (engine === 'chromium') return requireBrowser(say, { whole: true })
  const { packages, programs } = NEEDS[engine]
  const missing = () => programs.filter((program) => !inPath(program))
  if (missing().length > 0 && isRootOnDebian())
    run(installFromDebian(`--no-install-recommends ${packages}`), console.log)
  if (missing().length === 0) return inPath(programs[0] ?? '')
  say(`Skipped: ${engine}, for want of ${missing().join(' and ')} (Debian: ${packages})`)
  return undefined
}
