import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from '@jest/globals'

/** Removed after the file's tests. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'anniversary-test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
