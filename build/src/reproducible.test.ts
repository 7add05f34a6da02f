import { execFileSync } from 'node:child_process'
import path from 'node:path'

/*
 * The same sources give the same bytes on every machine, so that a published version can be built again and compared.
 * e2e/deploy/reproducible.spec.ts does the same with the real packages, at night.
 */

type Files = Readonly<Record<string, string>>

const program = path.join(import.meta.dirname, '../test/two-folders.ts')
const built = JSON.parse(
  execFileSync(process.execPath, ['--import', 'tsx/esm', program], { encoding: 'utf8', stdio: 'pipe' }),
) as Record<'host' | 'remote', [Files, Files]> // which two-folders.ts prints

test.each(['host', 'remote'] as const)('a %s has the same bytes from another folder', (kind) => {
  const [one, other] = built[kind]
  expect(Object.keys(one).join()).toMatch(/\.js/)
  expect(other).toEqual(one)
  // The toolchain is in one folder for both, so no file may name it.
  const toolchain = path.join(import.meta.dirname, '..')
  for (const text of Object.values(one)) expect(text.replaceAll('%2F', '/')).not.toContain(toolchain)
  // No public file leads to its map.
  const [maps, scripts] = [/\.js\.map$/, /\.js$/].map((kind) =>
    Object.entries(one).filter(([name]) => kind.test(name)),
  )
  expect(maps?.map(([name]) => name.replace('.map', '')).sort()).toEqual(
    scripts?.map(([name]) => name).sort(),
  )
  expect(scripts?.filter(([, text]) => text.includes('sourceMappingURL'))).toEqual([])
})
