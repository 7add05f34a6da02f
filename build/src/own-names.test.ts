import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BUILD_HASH, ownNames } from './own-names.ts'
import { compilePages } from './prerender.ts'

async function build(source: string): Promise<{ name: string; text: string }> {
  const dir = mkdtempSync(join(tmpdir(), 'own-names-'))
  writeFileSync(join(dir, 'index.js'), source)
  const names = ownNames()
  await compilePages({
    context: dir,
    mode: 'production',
    entry: './index.js',
    output: { path: dir, filename: 'out.js', uniqueName: `mf-${BUILD_HASH}` },
    plugins: [names.plugin],
  })
  const text = readFileSync(join(dir, 'out.js'), 'utf8')
  rmSync(dir, { recursive: true })
  return { name: names.resolve(BUILD_HASH), text }
}

test('names depend on the content and hold no placeholder', async () => {
  const code = (text: string) => `document.title = '${text} ${BUILD_HASH}'`
  const [one, same, other] = [
    await build(code('a')),
    await build(code('a')),
    await build(code('b')),
  ]
  expect(same).toEqual(one)
  expect(other.name).not.toBe(one.name)
  expect(one.text).toContain(`a ${one.name}`)
  expect(one.text).not.toContain(BUILD_HASH)
})
