import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { type Browser, chromium } from '@playwright/test'
import { BROWSER_ARGS } from '../src/browser.ts'
import { ROOT } from '../src/stack.ts'

/**
 * Packages of npm that hold a Chromium, by its version. 102 is the oldest of
 * them that the app supports.
 */
const PACKAGES = {
  90: 'chrome-aws-lambda@8.0.2',
  92: 'chrome-aws-lambda@10.1.0',
  102: '@sparticuz/chrome-aws-lambda@14.0.0',
} as const

/**
 * Starts an old Chromium, which is downloaded once. Playwright's locators do
 * not work in it; `page.evaluate` does.
 */
export function launchOld(version: keyof typeof PACKAGES): Promise<Browser> {
  const folder = join(ROOT, 'node_modules/.cache/chromium', String(version))
  if (!existsSync(folder)) download(PACKAGES[version], folder)

  return chromium.launch({
    executablePath: join(folder, 'chromium'),
    args: [...BROWSER_ARGS, '--no-zygote'],
  })
}

function download(wanted: string, folder: string): void {
  const partial = `${folder}.partial`
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(partial, { recursive: true })

  const archive = execFileSync('npm', ['pack', '--silent', wanted], {
    cwd: partial,
    encoding: 'utf8',
  })
  execFileSync('tar', ['xzf', archive.trim()], { cwd: partial })
  const unpacked = (name: string) =>
    brotliDecompressSync(readFileSync(join(partial, 'package/bin', `${name}.br`)))
  writeFileSync(join(partial, 'chromium'), unpacked('chromium'), { mode: 0o755 })
  // Draws without a graphics card.
  execFileSync('tar', ['x'], { cwd: partial, input: unpacked('swiftshader.tar') })
  renameSync(partial, folder)
}
