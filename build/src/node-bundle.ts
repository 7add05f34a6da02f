import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

/**
 * The files run without node_modules. Their `BUILD` is the version and the
 * commit, with `-dirty` when files differ from it.
 */
export async function bundleForNode(
  root: string,
  entryPoints: Record<string, string>,
): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const args = ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*']
  const { stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  await build({
    absWorkingDir: root,
    entryPoints,
    outdir: 'dist',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    sourcemap: true,
    define: { BUILD: JSON.stringify({ version, commit: stdout?.trim() || 'unknown' }) },
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'\nconst require = requireFrom(import.meta.url)",
    },
    logLevel: 'warning',
  })
}
