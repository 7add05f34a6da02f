import { randomBytes, randomUUID } from 'node:crypto'
import {
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
} from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { errorCode } from '@anniversary/shared/error-code'
import type { Target } from './target.ts'

/** A killed process leaves unfinished files here. */
const TEMPORARY = '.deploy/tmp'

/** Lets a rollback succeed on a full disk. */
const RESERVE = '.deploy/reserve'
const RESERVE_BYTES = 2 ** 21

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
      // EISDIR: a folder; ENOTDIR: a parent is a file.
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
      // A hard link fails when the name is taken, and never shows half a file,
      // as `wx` does.
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
    const found = await lstat(this.at(path)).catch(() => null)
    return found && Date.now() - found.mtimeMs
  }

  now(): Date {
    return new Date()
  }

  async keepReserve(): Promise<void> {
    // Some file systems compress.
    if ((await this.age(RESERVE)) === null) await this.write(RESERVE, randomBytes(RESERVE_BYTES))
  }

  async freeReserve(): Promise<void> {
    await this.remove(RESERVE)
  }

  /**
   * For power cuts, bytes are on the disk before the name is, and the name and
   * each new folder before this returns.
   */
  private async put(
    path: string,
    bytes: Buffer,
    place: (from: string, to: string) => Promise<void>,
  ): Promise<void> {
    const final = this.at(path)
    const temporary = join(this.root, TEMPORARY, randomUUID())
    const firstNew = await mkdir(dirname(final), { recursive: true })
    await mkdir(dirname(temporary), { recursive: true })
    try {
      await syncAndClose(await open(temporary, 'w'), (file) => file.writeFile(bytes))
      await place(temporary, final)
    } finally {
      await rm(temporary, { force: true })
    }
    let named = final
    do {
      await syncAndClose(await open(dirname(named)))
      named = dirname(named)
    } while (firstNew && named.length >= firstNew.length)
  }
}

async function syncAndClose(
  file: FileHandle,
  write?: (file: FileHandle) => Promise<void>,
): Promise<void> {
  try {
    await write?.(file)
    await file.sync()
  } finally {
    await file.close()
  }
}
