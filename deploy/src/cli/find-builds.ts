import { AsyncLocalStorage } from 'node:async_hooks'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../rejected.ts'

/** Folders of builds that a call of the deploy server has brought, by argument. */
export const uploads = new AsyncLocalStorage<ReadonlyMap<string, string>>()

export function findBuild(path: string): string | undefined {
  const brought = uploads.getStore()
  // A path of somebody else's machine must not be looked up on this one.
  if (brought) return brought.get(path)
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
