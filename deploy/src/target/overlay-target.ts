import type { Target } from './target.ts'

export class OverlayTarget implements Target {
  readonly url: string
  readonly isBucket: boolean
  private readonly changes = new Map<string, Buffer | null>()
  private readonly base: Target

  constructor(base: Target) {
    this.base = base
    this.url = base.url
    this.isBucket = base.isBucket === true
  }

  async read(path: string): Promise<Buffer | null> {
    const bytes = this.changes.get(path)
    if (bytes === undefined) return await this.base.read(path)
    return bytes
  }

  async write(path: string, bytes: Buffer): Promise<void> {
    this.changes.set(path, bytes)
  }

  async create(path: string, bytes: Buffer): Promise<boolean> {
    const below = await this.base.read(path)
    // No await from here on, so exactly one call creates.
    const above = this.changes.get(path)
    if (above) return false
    if (above === undefined && below) return false
    this.changes.set(path, bytes)
    return true
  }

  async list(folder: string): Promise<string[]> {
    const paths = new Set(await this.base.list(folder))
    for (const [path, bytes] of this.changes) {
      if (folder && !path.startsWith(`${folder}/`)) continue
      if (bytes) paths.add(path)
      else paths.delete(path)
    }
    return [...paths].sort()
  }

  async age(path: string): Promise<number | null> {
    const bytes = this.changes.get(path)
    if (bytes === undefined) return await this.base.age(path)
    return bytes && 0
  }

  now(): Date {
    return this.base.now()
  }

  async remove(path: string): Promise<void> {
    this.changes.set(path, null)
  }
}
