import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Problem } from '@anniversary/deploy/rejected'
import { hashSource } from '@anniversary/deploy/site/first-styles'
import type { Outcome } from '@anniversary/deploy/verbs/change'
import { type Content, Html, html } from '@anniversary/shared/html-template'
import { type Action, actionEffectOf, actionTitleOf } from './actions.ts'

const STYLE = [
  ...[
    '@anniversary/shared/tokens.css',
    '@anniversary/shared/campaign/theme.css',
    '@anniversary/shared/reset.css',
    '@anniversary/shared/ui/Button.module.css',
    '@anniversary/shared/ui/Dialog.module.css',
    '@anniversary/shared/ui/Panel.module.css',
  ].map((name) => fileURLToPath(import.meta.resolve(name))),
  join(import.meta.dirname, 'control.css'),
]
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n')

/** Allows no script, no other style and no other origin. */
const POLICY = `default-src 'none'; style-src ${hashSource(STYLE)}; img-src data:; base-uri 'none'; form-action 'self'`

export const controlDocument = (title: string, body: Content): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${new Html(STYLE)}</style>
</head>
<body>
${body}
</body>
</html>
`

const sheet = (title: string, body: Content, actions: Content) =>
  controlDocument(
    title,
    html`<main class="dialog" data-ground="paper"><div class="sheet">
<h1 class="title">${title}</h1>
<div class="body"><div>${body}</div></div>
<div class="actions">${actions}</div>
</div></main>`,
  )

const back = (text: string) => html`<a class="button secondary" href="/control">${text}</a>`

export const confirmationPage = (
  action: Action,
  { summary, changed, record, warnings }: Outcome,
): Html =>
  sheet(
    actionTitleOf(action),
    html`<p><strong>${summary}</strong></p>
${warnings.map((warning) => html`<p>${warning}.</p>`)}
<p>${changed ? `${actionEffectOf(action)} It becomes composition ${record.number}.` : 'No change.'}</p>`,
    html`${back('Cancel')}
${changed && html`<form method="post"><button class="button primary">${actionTitleOf(action)}</button></form>`}`,
  )

export function rejectedPage(problems: readonly Problem[] | string): Html {
  if (typeof problems === 'string') return sheet('Not done', html`<p>${problems}</p>`, back('Back'))

  const lines = problems.map(
    ({ about, found, todo }) => html`<p><strong>${about}</strong>: ${found}. ${todo}.</p>`,
  )
  return sheet('Rejected. Nothing was changed.', lines, back('Back'))
}
