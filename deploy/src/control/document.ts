import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Content, Html, hashSource, html } from '../html.ts'

const STYLE = [
  ...[
    '@anniversary/shared/tokens.css',
    '@anniversary/shared/reset.css',
    '@anniversary/shared/ui/Button.module.css',
    '@anniversary/shared/ui/Dialog.module.css',
    '@anniversary/shared/ui/Panel.module.css',
    '@anniversary/shared/ui/TextField.module.css',
  ].map((name) => fileURLToPath(import.meta.resolve(name))),
  join(import.meta.dirname, 'control.css'),
]
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n')

/** No script at all, no style but this one, nothing from elsewhere. */
const POLICY = `default-src 'none'; style-src ${hashSource(STYLE)}; img-src data:; base-uri 'none'; form-action 'self'`

export const documentOf = (title: string, body: Content): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="theme-color" content="#1c0407">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${new Html(STYLE)}</style>
</head>
<body>
${body}
</body>
</html>
`
