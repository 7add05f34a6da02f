import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { compile } from './compile.ts'
import { sbom } from './sbom.ts'

test('lists the packages whose code is in the build, and no other', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'sbom-'))
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(dir, file)), { recursive: true })
    writeFileSync(join(dir, file), text)
  }
  const install = (name: string, version: string, license?: string) => {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, version, license }))
    write(`node_modules/${name}/index.js`, `export const text = '${name}'`)
  }
  write('package.json', '{"name":"@a/mf-x","version":"1.2.3"}')
  install('@scope/used', '2.0.0', 'MIT')
  install('lazy', '3.0.0', 'see LICENSE')
  install('unused', '4.0.0')
  write(
    'index.js',
    "import { text } from '@scope/used'\nimport('lazy').then((lazy) => console.log(text, lazy))",
  )
  try {
    await compile({
      context: dir,
      mode: 'production',
      entry: './index.js',
      output: { path: join(dir, 'dist') },
      plugins: [sbom()],
    })
    const bom = JSON.parse(readFileSync(join(dir, 'dist/sbom.cdx.json'), 'utf8'))
    expect(bom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'mf-x' } } })
    expect(bom.components).toMatchObject([
      { purl: 'pkg:npm/%40scope/used@2.0.0', licenses: [{ license: { id: 'MIT' } }] },
      { purl: 'pkg:npm/lazy@3.0.0', licenses: [{ license: { name: 'see LICENSE' } }] },
    ])
  } finally {
    rmSync(dir, { recursive: true })
  }
})
