import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../src/stack.ts'
import { expect, test } from '../src/test.ts'
import { build, copySources } from '../src/variant.ts'

test('a build in another folder has the same bytes', { tag: '@nightly' }, async () => {
  test.setTimeout(120_000)
  const copy = await copySources()
  // With modules of its own: a link would lead the bundler back to this checkout's paths.
  rmSync(join(copy, 'node_modules'), { recursive: true })
  execFileSync('cp', ['-a', join(ROOT, 'node_modules'), copy])
  for (const name of ['shell', 'mf-auth', 'mf-missions', 'mf-history', 'mf-megalive']) {
    const there = await build(copy, name)
    // Throws with the differences.
    execFileSync('diff', ['-r', there, join(ROOT, name, 'dist')], { encoding: 'utf8' })
    const files = readdirSync(there, { recursive: true, encoding: 'utf8' })
    const scripts = files.filter((file) => file.endsWith('.js'))
    // No public file leads to its map.
    for (const file of scripts)
      expect(readFileSync(join(there, file), 'utf8'), file).not.toContain('sourceMappingURL')
    if (name !== 'mf-megalive')
      expect(files).toEqual(expect.arrayContaining(scripts.map((file) => `source-maps/${file}.map`)))
  }
})
