import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { requireBrowser } from '../test/browser.ts'

/** The last version for Node 20. */
const LIGHTHOUSE_CI = '@lhci/cli@0.15.1'
const PUBLIC_PATHS = ['/', '/login', '/check', '/megalive']

/**
 * Lighthouse as a phone on slow 4G, three times for each public page, by its own tool for pipelines. That prints each
 * score below the least of `lighthouserc.json`; of three performances the best counts, since other processes only make a
 * page slower.
 * @param folder where it leaves its reports
 */
export function auditPages(url: string, folder: string): boolean {
  const urls = PUBLIC_PATHS.map((path) => `--collect.url=${url}${path}`)
  const config = `--config=${join(import.meta.dirname, 'lighthouserc.json')}`
  const { status } = spawnSync('npx', ['--yes', LIGHTHOUSE_CI, 'autorun', config, ...urls], {
    cwd: folder,
    env: { ...process.env, CHROME_PATH: requireBrowser(console.log, { whole: true }) },
    stdio: 'inherit',
  })
  return status === 0
}
