import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../rejected.ts'
import { onBehalf } from '../site/caller.ts'

export function findBuild(path: string): string | undefined {
  const caller = onBehalf.getStore()
  // A path of somebody else's machine must not be looked up on this one.
  if (caller) return caller.builds?.get(path)
  return [path, join(path, 'dist')].find((one) => existsSync(join(one, 'build.json')))
}

export const findBuilds = (paths: readonly string[]): string[] =>
  (paths.length > 0 ? paths : ['.']).map((path) => {
    const folder = findBuild(path)
    if (folder) return folder
    const where = path === '.' ? 'here or in ./dist' : `in ${path} or ${join(path, 'dist')}`
    throw new UsageError(
      `There is no build.json ${where}. Build first, then name the package or its output folder.`,
    )
  })
