import { randomUUID } from 'node:crypto'
import { link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { errorCode } from '@anniversary/shared/error-code'
import type { Target } from './target.ts'

/** Folder of unfinished files. A killed process leaves its file here. */
const TEMPORARY = '.deploy/tmp'

export class FileTarget implements Target {
  readonly url: string
  readonly root: string

  constructor(folder: string) {
    this.root = resolve(folder)
    this.url = `file:${this.root}`
  }

  private at(path: string): string {
    const full = join(this.root, path)
    if (!full.startsWith(this.root + sep)) throw new Error(`${path} lies outside ${this.root}`)
    return full
  }

  async read(path: string): Promise<Buffer | null> {
    try {
      return await readFile(this.at(path))
    } catch (error) {
      // EISDIR: the path is a folder; ENOTDIR: a parent of it is a file.
      if (['ENOENT', 'EISDIR', 'ENOTDIR', 'ENAMETOOLONG'].includes(errorCode(error) ?? ''))
        return null
      throw error
    }
  }

  async write(path: string, bytes: Buffer): Promise<void> {
    await this.put(path, bytes, rename)
  }

  async create(path: string, bytes: Buffer): Promise<boolean> {
    try {
      // A hard link fails when the name is taken, and shows the whole file at once. `wx` would show it half written.
      await this.put(path, bytes, link)
      return true
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return false
      throw error
    }
  }

  async list(folder: string): Promise<string[]> {
    const start = folder ? this.at(folder) : this.root
    const entries = await readdir(start, { recursive: true, withFileTypes: true }).catch(
      (error: unknown) => {
        if (errorCode(error) === 'ENOENT') return []
        throw error
      },
    )
    return entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => relative(this.root, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .sort()
  }

  async remove(path: string): Promise<void> {
    await rm(this.at(path), { force: true })
  }

  async age(path: string): Promise<number | null> {
    const found = await stat(this.at(path)).catch(() => null)
    return found && Date.now() - found.mtimeMs
  }

  private async put(
    path: string,
    bytes: Buffer,
    place: (from: string, to: string) => Promise<void>,
  ): Promise<void> {
    const temporary = join(this.root, TEMPORARY, randomUUID())
    for (const file of [temporary, this.at(path)]) await mkdir(dirname(file), { recursive: true })
    try {
      await writeFile(temporary, bytes)
      await place(temporary, this.at(path))
    } finally {
      await rm(temporary, { force: true })
    }
  }
}
