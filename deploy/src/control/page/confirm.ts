import type { Problem } from '../../rejected.ts'
import type { Action } from '../actions.ts'
import { button, h } from './dom.ts'

/** The server's answer to an action. */
export interface Answered {
  readonly ok: boolean
  /** What was done, or would be. */
  readonly summary: string
  /** Of the composition that it makes. */
  readonly number: number
  readonly changed: boolean
  readonly problems: readonly Problem[]
}

interface Words {
  readonly title: string
  readonly effect: string
}

function wordsOf(action: Action): Words {
  const name = action.name ?? 'the whole site'
  switch (action.verb) {
    case 'rollback':
      return {
        title: action.name ? `Roll back ${name}` : 'Undo the last change of the whole site',
        effect: 'Members who open or reload a page get it. Open pages offer a reload.',
      }
    case 'disable':
      return {
        title: `Switch off ${name}`,
        effect:
          'Its pages say that it is switched off, within a minute also those that are open. All else works.',
      }
    case 'enable':
      return { title: `Switch on ${name}`, effect: 'Its pages load again.' }
    case 'promote':
      return {
        title: `Promote the canary of ${name}`,
        effect: 'Everyone gets it, instead of a share of the visitors.',
      }
    case 'stop-canary':
      return { title: `Stop the canary of ${name}`, effect: 'Everyone gets the current version.' }
  }
}

/**
 * Says exactly what would happen, by the answer to a dry run, and does it on a second press.
 * @param send sends the action; it never rejects
 * @param done called after it was done, and after a refusal, which may mean that what is shown is old
 */
export async function confirmAction(
  action: Action,
  send: (dryRun: boolean) => Promise<Answered>,
  done: (said: string) => void,
): Promise<void> {
  const { title, effect } = wordsOf(action)
  const body = h('div', { class: 'body', 'aria-live': 'polite' }, h('p', {}, 'Asking what would happen…'))
  const actions = h('div', { class: 'actions' })
  const heading = h('h2', { class: 'title', id: 'confirm-title', tabindex: -1, autofocus: true }, title)
  const dialog = h(
    'dialog',
    { class: 'dialog', 'aria-labelledby': 'confirm-title' },
    h('div', { class: 'sheet' }, heading, body, actions),
  )
  const cancel = button('confirm-cancel', 'Cancel', 'secondary', () => dialog.close())
  actions.append(cancel)
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()

  function refuse({ summary, problems }: Answered): void {
    body.replaceChildren(
      h('p', { class: 'refused' }, problems.length > 0 ? 'Refused. Nothing was changed.' : summary),
      ...problems.map(({ about, found, todo }) =>
        h('p', {}, h('strong', {}, about), `: ${found}. `, h('em', {}, `${todo}.`)),
      ),
    )
    cancel.textContent = 'Close'
  }

  const planned = await send(true)
  if (!planned.ok) {
    refuse(planned)
    return
  }
  body.replaceChildren(
    h('p', { class: 'plan' }, planned.summary),
    h(
      'p',
      {},
      planned.changed ? `${effect} It becomes composition ${planned.number}.` : 'The site is so already.',
    ),
  )
  if (!planned.changed) return
  const go = button('confirm-go', title, action.verb === 'disable' ? 'danger' : 'primary', async () => {
    if (go.ariaBusy) return
    go.ariaBusy = 'true'
    go.classList.add('busy')
    const made = await send(false)
    if (made.ok) {
      dialog.close()
      done(`Done: ${made.summary}. Composition ${made.number} is live.`)
    } else {
      go.remove()
      refuse(made)
      done('')
    }
  })
  actions.append(go)
}
