import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../rejected.ts'

/** @param path of a package or its output */
export const findLocalBuild = (path: string): string | undefined =>
  [path, join(path, 'dist')].find((one) => existsSync(join(one, 'build.json')))

export interface BuildFinder {
  findBuild(argument: string): string | undefined
}

export function requireBuild({ findBuild }: BuildFinder, path: string): string {
  const folder = findBuild(path)
  if (folder) return folder
  const where = path === '.' ? 'here or in ./dist' : `in ${path} or ${join(path, 'dist')}`
  throw new UsageError(
    `There is no build.json ${where}. Build first, then name the package or its output folder. Only the build factory (@anniversary/build) writes this file; builds of other bundlers cannot be published.`,
  )
}

export const requireBuilds = (finder: BuildFinder, paths: readonly string[]): string[] =>
  (paths.length > 0 ? paths : ['.']).map((path) => requireBuild(finder, path))
