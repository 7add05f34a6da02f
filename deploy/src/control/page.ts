import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { ControlState } from './state.ts'

/** The site's own design, and what this page adds. */
const STYLES = [
  '@anniversary/shared/tokens.css',
  '@anniversary/shared/reset.css',
  '@anniversary/shared/ui/Button.module.css',
  '@anniversary/shared/ui/Dialog.module.css',
].map((name) => fileURLToPath(import.meta.resolve(name)))

interface Assets {
  readonly script: string
  readonly style: string
}
let assets: Promise<Assets> | undefined

/** Bundled once a process, in memory: `deploy` runs from its sources, so there is no build that could be stale. */
async function bundle(): Promise<Assets> {
  const page = join(import.meta.dirname, 'page')
  const [built, ...styles] = await Promise.all([
    build({
      entryPoints: [join(page, 'main.ts')],
      bundle: true,
      minify: true,
      write: false,
      target: 'es2022',
      // That of the folder extends a package which is not there where deploy is installed.
      tsconfigRaw: {},
    }),
    ...[...STYLES, join(page, 'page.css')].map((path) => readFile(path, 'utf8')),
  ])
  return { script: built.outputFiles[0]?.text ?? '', style: styles.join('\n') }
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Nothing from elsewhere, no script or style but these two, no HTML from text. */
const policy = ({ script, style }: Assets): string =>
  [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

/** Headers of the page beside its policy, which is in it, so that a file on any host has it too. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
}

/**
 * The control page, in one file.
 * @param state null: the page asks the server, with a key
 */
export async function controlPage(state: ControlState | null): Promise<string> {
  assets ??= bundle()
  const { script, style } = await assets
  // In a script element only `<` could end the data.
  const data = JSON.stringify(state).replaceAll('<', '\\u003c')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${policy({ script, style })}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="theme-color" content="#1c0407">
<title>Control</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<script type="application/json" id="state">${data}</script>
<script>${script}</script>
</body>
</html>
`
}
