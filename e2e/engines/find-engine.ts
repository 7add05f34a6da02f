import { existsSync } from 'node:fs'
import { installFromDebian, isRootOnDebian, requireBrowser, run } from '@anniversary/tools/test/browser'
import type { Engine } from './driver.ts'

/** What Debian's packages install; the first file is the browser. */
const PARTS: Readonly<Record<Exclude<Engine, 'chromium'>, { packages: string; files: readonly string[] }>> = {
  firefox: { packages: 'firefox-esr', files: ['/usr/bin/firefox-esr'] },
  webkit: {
    packages: 'webkit2gtk-driver xvfb xauth',
    files: [
      `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/webkit2gtk-4.1/MiniBrowser`,
      '/usr/bin/WebKitWebDriver',
      '/usr/bin/Xvfb',
    ],
  },
}

/** Path of the browser, which is installed where that can be; undefined, with a reason, where it cannot. */
export function findEngine(engine: Engine, say: (line: string) => void): string | undefined {
  if (engine === 'chromium') return requireBrowser(say, { whole: true })
  const { packages, files } = PARTS[engine]
  const [browser] = files
  const complete = () => files.every((file) => existsSync(file))
  if (!complete() && isRootOnDebian())
    run(installFromDebian(`--no-install-recommends ${packages}`), (command) =>
      say(`No ${engine} found: ${command}`),
    )
  if (complete()) return browser
  say(`Skipped: ${engine}. It comes from Debian's ${packages}, which only root can install there.`)
  return undefined
}
