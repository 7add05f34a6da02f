import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../rejected.ts'

/** Output folders of the named builds or packages; default: of the package in which the command runs. */
export const findBuilds = (paths: readonly string[]): string[] =>
  (paths.length > 0 ? paths : ['.']).map((path) => {
    const dist = join(path, 'dist')
    const folder = [path, dist].find((one) => existsSync(join(one, 'build.json')))
    if (folder) return folder
    const where = path === '.' ? 'here or in ./dist' : `in ${path} or ${dist}`
    throw new UsageError(
      `There is no build.json ${where}. Build first, then name the package or its output folder.`,
    )
  })
