import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from './context.ts'

/** The folder or its `dist`, where one of them holds a build; else null. */
function buildFolder(path: string): string | null {
  if (existsSync(join(path, 'build.json'))) return path
  const dist = join(path, 'dist')
  return existsSync(join(dist, 'build.json')) ? dist : null
}

/** Output folders of the named builds; default: of the package in which the command runs. */
export const findBuilds = (paths: readonly string[]): string[] =>
  (paths.length > 0 ? paths : ['.']).map((path) => {
    const folder = buildFolder(path)
    if (folder) return folder
    const where = path === '.' ? 'here or in ./dist' : `in ${path} or ${join(path, 'dist')}`
    throw new UsageError(
      `There is no build.json ${where}. Build first, then name the package or its output folder.`,
    )
  })
