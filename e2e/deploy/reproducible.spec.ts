import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../src/stack.ts'
import { expect, test } from '../src/test.ts'
import { build, copySources } from '../src/variant.ts'

/** Files of a build, by path. */
const filesIn = (folder: string): Map<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [path.slice(folder.length), readFileSync(path, 'latin1')]),
  )

test('the same sources have the same bytes from another folder', { tag: '@nightly' }, async () => {
  test.setTimeout(120_000)
  const copy = await copySources()
  // With modules of its own: a link would lead the bundler back to this checkout's paths.
  rmSync(join(copy, 'node_modules'), { recursive: true })
  execFileSync('cp', ['-a', join(ROOT, 'node_modules'), copy])
  for (const name of ['shell', 'mf-auth', 'mf-missions', 'mf-history', 'mf-megalive']) {
    const there = filesIn(await build(copy, name))
    expect(there, name).toEqual(filesIn(join(ROOT, name, 'dist')))
    const scripts = [...there].filter(([file]) => file.endsWith('.js'))
    // No public file leads to its map.
    expect(scripts.filter(([, text]) => text.includes('sourceMappingURL'))).toEqual([])
    if (name !== 'mf-megalive')
      for (const [file] of scripts) expect([...there.keys()]).toContain(`/source-maps${file}.map`)
  }
})
