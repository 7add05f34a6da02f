import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const ROOT = resolve(import.meta.dirname, '..')

export interface Manifest {
  readonly name: string
  readonly scripts?: Readonly<Record<string, string>>
  readonly engines?: Readonly<Record<string, string>>
  readonly workspaces?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** @param folder from the repository's root */
export const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest // our own files

export const workspaceFolders = manifestOf('.').workspaces ?? []
