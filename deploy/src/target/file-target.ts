import { createHash, randomUUID } from 'node:crypto'
import { link, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { errorCode } from '@anniversary/shared/error-code'
import type { Stored, Target } from './target.ts'

/** A site in a folder, which the first write creates. */
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

  async read(path: string): Promise<Stored | null> {
    try {
      const bytes = await readFile(this.at(path))
      return { bytes, etag: createHash('sha256').update(bytes).digest('hex') }
    } catch (error) {
      // EISDIR: the path is a folder; ENOTDIR: a parent of it is a file.
      if (['ENOENT', 'EISDIR', 'ENOTDIR', 'ENAMETOOLONG'].includes(errorCode(error) ?? '')) return null
      throw error
    }
  }

  async write(path: string, bytes: Buffer): Promise<void> {
    const temporary = await this.temporary(path, bytes)
    await rename(temporary, this.at(path))
  }

  async create(path: string, bytes: Buffer): Promise<boolean> {
    const temporary = await this.temporary(path, bytes)
    try {
      // A hard link fails when the name is taken, and shows the whole file at once; `wx` would show it half written.
      await link(temporary, this.at(path))
      return true
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return false
      if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(errorCode(error) ?? ''))
        throw error
      return await this.createWithoutLinks(path, bytes)
    } finally {
      await rm(temporary, { force: true })
    }
  }

  /** For file systems without hard links (exFAT, some network mounts). */
  private async createWithoutLinks(path: string, bytes: Buffer): Promise<boolean> {
    try {
      const file = await open(this.at(path), 'wx')
      await file.writeFile(bytes)
      await file.close()
      return true
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return false
      throw error
    }
  }

  async list(folder: string): Promise<string[]> {
    const start = folder ? this.at(folder) : this.root
    const entries = await readdir(start, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return []
      throw error
    })
    return (
      entries
        .filter((entry) => entry.isFile())
        .map((entry) => relative(this.root, join(entry.parentPath, entry.name)).split(sep).join('/'))
        // Left by killed processes.
        .filter((path) => !/\.tmp(\/|$)/.test(path))
        .sort()
    )
  }

  async remove(path: string): Promise<void> {
    await rm(this.at(path), { force: true })
  }

  async removeFolder(folder: string): Promise<void> {
    const away = `${this.at(folder)}.${randomUUID().slice(0, 8)}.tmp`
    try {
      await rename(this.at(folder), away)
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return
      throw error
    }
    await rm(away, { recursive: true, force: true })
  }

  private async temporary(path: string, bytes: Buffer): Promise<string> {
    const final = this.at(path)
    const temporary = `${final}.${randomUUID().slice(0, 8)}.tmp`
    await mkdir(dirname(final), { recursive: true })
    await writeFile(temporary, bytes)
    return temporary
  }
}
