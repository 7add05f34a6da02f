import { type Content, type Html, html } from '../html.ts'
import type { Problem } from '../rejected.ts'
import type { Outcome } from '../verbs/change.ts'
import { type Action, effectOf, titleOf } from './actions.ts'
import { documentOf } from './document.ts'

const sheet = (title: string, body: Content, actions: Content): Html =>
  documentOf(
    title,
    html`<main class="dialog" data-ground="paper"><div class="sheet">
<h1 class="title">${title}</h1>
<div class="body"><div>${body}</div></div>
<div class="actions">${actions}</div>
</div></main>`,
  )

const back = (text: string): Html => html`<a class="button secondary" href="/control">${text}</a>`

/** @param to address to open after the log-in */
export const logInPage = (to: string, wrong?: string): Html =>
  sheet(
    'Control',
    html`${wrong && html`<p class="error" role="alert">${wrong}</p>`}
<form id="log-in" method="post" action="/control/log-in">
<input type="hidden" name="to" value="${to}">
<label class="field"><span class="label">Your token</span>
<input class="input" name="token" type="password" required maxlength="200" autocomplete="current-password" autofocus></label>
</form>`,
    html`<button class="button primary" form="log-in">Open</button>`,
  )

export const confirmPage = (action: Action, { summary, changed, record, warnings }: Outcome): Html =>
  sheet(
    titleOf(action),
    html`<p><strong>${summary}</strong></p>
${warnings.map((warning) => html`<p>${warning}.</p>`)}
<p>${changed ? `${effectOf(action)} It becomes composition ${record.number}.` : 'The site is so already.'}</p>`,
    html`${back('Cancel')}
${changed && html`<form method="post"><button class="button primary">${titleOf(action)}</button></form>`}`,
  )

/** @param problems of a refused change, or the text of another failure */
export const refusedPage = (problems: readonly Problem[] | string): Html =>
  typeof problems === 'string'
    ? sheet('Not done', html`<p>${problems}</p>`, back('Back'))
    : sheet(
        'Refused. Nothing was changed.',
        problems.map(({ about, found, todo }) => html`<p><strong>${about}</strong>: ${found}. ${todo}.</p>`),
        back('Back'),
      )
