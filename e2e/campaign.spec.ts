import { execFile } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from './src/stack.ts'
import { test } from './src/test.ts'
import { copySources } from './src/variant.ts'

test('another campaign passes the journey', { tag: '@nightly' }, async () => {
  const copy = await copySources()
  // In the colours of this one: the journey sees none.
  await cp(join(ROOT, 'e2e/campaign'), join(copy, 'shared/campaign'), { recursive: true })
  const journey = [
    'node_modules/@playwright/test/cli.js',
    'test',
    '-c',
    'e2e/playwright.config.ts',
    'journey',
  ]
  await promisify(execFile)('node', journey, {
    cwd: copy,
    env: { ...process.env, NIGHTLY: '', FORCE_COLOR: '0' },
  }).catch((failure: { stdout: string }) => {
    throw new Error(failure.stdout)
  })
})
