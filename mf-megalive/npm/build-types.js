import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** `npm run build:types`: the npm package's types into npm/dist/types; `npm pack` calls it. */
execFileSync('tsc', ['-p', 'npm/tsconfig.json'], { stdio: 'inherit' })

// The compiler leaves the sources' extensions in declarations; the package has no such files.
const types = path.join(import.meta.dirname, 'dist/types')
for (const file of readdirSync(types, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.d.ts')) continue
  const full = path.join(types, file)
  writeFileSync(full, readFileSync(full, 'utf8').replace(/(from '\.[^']+)\.tsx?'/g, "$1.js'"))
}
