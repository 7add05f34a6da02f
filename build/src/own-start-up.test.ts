import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { entrySizeFault } from './entry-size.ts'
import { startUpFault } from './own-start-up.ts'

const KNOWN =
  '@module-federation/runtime/rspack.js!=!data:text/javascript,import%20__module_federation_bundler_runtime__%20from'

/** @returns the bundler's output, empty after a success */
function buildRemote({
  requests = [] as string[],
  page = 'export default () => null',
  publicFiles = [] as string[],
  prerender = [] as string[],
} = {}): string {
  const dir = mkdtempSync(join(tmpdir(), 'own-start-up-'))
  const index = pathToFileURL(join(import.meta.dirname, '../index.js'))
  const core = import.meta.resolve('@rspack/core')
  writeFileSync(
    join(dir, 'package.json'),
    '{ "name": "mf-x", "version": "1.0.0", "type": "module" }',
  )
  writeFileSync(join(dir, 'Page.js'), page)
  mkdirSync(join(dir, 'public'))
  for (const file of publicFiles) writeFileSync(join(dir, 'public', file), '')
  symlinkSync(join(import.meta.dirname, '../../node_modules'), join(dir, 'node_modules'))
  writeFileSync(
    join(dir, 'rspack.config.js'),
    `import { remote } from '${index}'
    import { EntryPlugin } from '${core}'
    const config = remote({
      dir: import.meta.dirname,
      exposes: { './Page': './Page.js' },
      prerender: ${JSON.stringify(prerender)},
      publicFiles: { '/x.html': 'x.html' },
    })()
    for (const request of ${JSON.stringify(requests)})
      config.plugins.push(new EntryPlugin(import.meta.dirname, request, { name: 'other' }))
    export default config`,
  )
  const cli = join(import.meta.dirname, '../../node_modules/@rspack/cli/bin/rspack.js')
  // Jest's modules do not let the bundler read its own files.
  const { status, stdout, stderr } = spawnSync('node', [cli, 'build'], {
    cwd: dir,
    encoding: 'utf8',
    // Jest's environment is a copy.
    env: process.env,
    timeout: 300_000,
  })
  rmSync(dir, { recursive: true })
  return status === 0 ? '' : stdout + stderr
}

test('the installed plugin requests the start-up code that the build replaces', () => {
  expect(buildRemote()).toBe('')
})

test('a build fails when the plugin requests another part of its runtime', () => {
  const facade = '@module-federation/facade.js!=!data:text/javascript,export%20default%201'
  expect(buildRemote({ requests: [facade] })).toContain(facade)
})

test.each([
  ['nothing', []],
  ['another request', ['@module-federation/runtime-facade/rspack.js']],
  ['the known request twice', [KNOWN, `${KNOWN}%20`]],
])('a build fails when the plugin requests %s, and says what it found', (_, requests) => {
  const fault = startUpFault(requests)
  expect(fault).toContain(requests.at(-1) ?? '(no request)')
  expect(fault).toMatch(/^Install @module-federation\/enhanced \d+\.\d+\.\d+\. /m)
})

test('a build fails when a page loads more than its limit, or the limit is no number', () => {
  process.env.PAGE_BYTES = '700'
  expect(buildRemote()).toMatch(/Page loads \d+ bytes of JavaScript \(Brotli\), more than 700/)
  process.env.PAGE_BYTES = '13 kB'
  expect(buildRemote()).toContain("PAGE_BYTES is '13 kB': set a number of bytes like 13000")
  delete process.env.PAGE_BYTES
})

test('a prerendered page that starts a timer when it is imported fails the build', () => {
  const page = 'setInterval(() => {}, 1000); export default () => null'
  expect(buildRemote({ page, prerender: ['./Page'] })).toContain('start it in an effect')
})

test('a build fails when a file of public/ would be in no site', () => {
  const output = buildRemote({ publicFiles: ['x.html', 'x.pdf'] })
  expect(output).toContain('public/x.pdf would be served in development only')
})

test('an entry may have 2.6 kB, and more for the hashes of many files', () => {
  const hash = () => `"sha384-${randomBytes(48).toString('base64')}",`
  const code = (bytes: number) => Buffer.from(randomBytes(bytes).toString('latin1'), 'latin1')
  expect(entrySizeFault('entry.js', code(2_500))).toBeUndefined()
  expect(entrySizeFault('entry.js', code(2_700))).toMatch(/^entry.js has 27\d\d bytes .*2600/)
  const chunks = Array.from({ length: 60 }, hash).join('')
  expect(entrySizeFault('entry.js', Buffer.from(chunks))).toBeUndefined()
})
