import { closeSync, fsyncSync, openSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'

/** Renames so that a power cut does not undo it. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to)
  const parent = openSync(dirname(to), 'r')
  fsyncSync(parent)
  closeSync(parent)
}
