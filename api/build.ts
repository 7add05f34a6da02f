import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

/**
 * `npm run build -w api`: server and operator's commands, each as one file that plain Node runs without node_modules.
 * COMMIT is the commit, with `-dirty` when files differ from it.
 */

const root = import.meta.dirname
const dist = join(root, 'dist')

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
rmSync(dist, { recursive: true, force: true })
await build({
  absWorkingDir: root,
  entryPoints: { api: 'src/main.ts', event: 'src/operator/event.ts' },
  outdir: dist,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  sourcemap: true,
  define: { BUILD: JSON.stringify({ version, commit: process.env.COMMIT ?? 'unknown' }) },
  // For the CommonJS packages in the bundle.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'\nconst require = requireFrom(import.meta.url)",
  },
  logLevel: 'warning',
})
cpSync(join(root, 'migrations'), join(dist, 'migrations'), { recursive: true })
