import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** `npm run build:package`: the npm package's modules and types into npm/dist; `npm pack` calls it. */
const dir = path.join(import.meta.dirname, '..')
const bin = path.join(dir, '../node_modules')
/** @type {(file: string, ...args: string[]) => void} */
const run = (file, ...args) =>
  execFileSync(process.execPath, [path.join(bin, file), ...args], { cwd: dir, stdio: 'inherit' })

run('@rspack/cli/bin/rspack.js', 'build', '-c', 'npm/rspack.config.js')
run('typescript/bin/tsc', '-p', 'npm/tsconfig.json')

// The compiler leaves the sources' extensions in declarations; the package has no such files.
const types = path.join(dir, 'npm/dist/types')
for (const file of readdirSync(types, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.d.ts')) continue
  const full = path.join(types, file)
  writeFileSync(full, readFileSync(full, 'utf8').replace(/(from '\.[^']+)\.tsx?'/g, "$1.js'"))
}
