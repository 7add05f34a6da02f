import { execFileSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '@anniversary/e2e/stack'

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }).trim()

/**
 * Returns the short hash of a commit. Throws git's message when there is none.
 */
export const commitOf = (text: string): string =>
  git('rev-parse', '--verify', '--short', `${text}^{commit}`)

/** Checks a commit out and installs it, once. Returns its folder. */
export function checkOut(commit: string): string {
  const folder = join(ROOT, '.cache/against', commit)
  if (existsSync(join(folder, 'node_modules/.package-lock.json'))) return folder
  console.error(`Checking out and installing ${commit}`)
  rmSync(folder, { recursive: true, force: true })
  git('worktree', 'add', '--force', '--detach', folder, commit)
  execFileSync('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return folder
}
