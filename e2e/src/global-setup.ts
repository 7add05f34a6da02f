import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawnStack } from './stack.ts'

/** Builds and publishes what is missing and loads the demo once; every stack of a test starts from a copy. */
export default async function setUp(): Promise<() => Promise<void>> {
  const template = await mkdtemp(join(tmpdir(), 'anniversary-template-'))
  process.env.E2E_TEMPLATE = template
  const stack = await spawnStack(join(template, 'data'), join(template, 'site'), {})
  await stack.stop()
  return () => rm(template, { recursive: true, force: true })
}
