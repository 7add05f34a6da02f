import type { Action } from '../actions.ts'
import type { ControlState } from '../state.ts'
import { type Answered, confirmAction } from './confirm.ts'
import { h } from './dom.ts'
import { view } from './view.ts'

const REFRESH_MS = 30_000
const KEY = 'control-key'
const NAME = 'control-name'

/**
 * Shows the control page.
 * @param embedded the state of a snapshot; null: asks the server, with the key of this tab or of whoever logs in
 */
export function startControl(embedded: ControlState | null): void {
  const said = h('p', { class: 'said', role: 'status' })
  const place = h('div')
  document.body.prepend(place, said)
  if (embedded) {
    place.replaceChildren(view(embedded, null))
    return
  }

  async function call(
    path: string,
    body?: object,
  ): Promise<{ status: number; json: Record<string, unknown> }> {
    try {
      const response = await fetch(`/control/${path}`, {
        headers: {
          authorization: `Bearer ${sessionStorage.getItem(KEY)}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      })
      return { status: response.status, json: await response.json() }
    } catch {
      return { status: 0, json: { error: 'The server does not answer' } }
    }
  }

  /** Draws anew. The focus, and what was opened, stay. */
  function show(state: ControlState): void {
    const focused = document.activeElement?.id
    const open = [...place.querySelectorAll('details[open]')].map(({ id }) => id)
    place.replaceChildren(view(state, (action) => ask(state, action)))
    for (const id of open) document.getElementById(id)?.setAttribute('open', '')
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true })
  }

  async function refresh(): Promise<void> {
    if (!sessionStorage.getItem(KEY)) return logIn('')
    const { status, json } = await call('state')
    if (status === 401 || status === 429) {
      sessionStorage.removeItem(KEY)
      logIn(`${json.error}.`)
    }
    // Its shape is the server's, of the same release.
    else if (status === 200) show(json as unknown as ControlState)
    else said.textContent = `${json.error}. What you see may be old.`
  }

  function ask(state: ControlState, action: Action): void {
    const by = sessionStorage.getItem(NAME)
    void confirmAction(
      action,
      async (dryRun) => {
        const { status, json } = await call('act', { action, from: state.number, by, dryRun })
        return { ok: status === 200, summary: `${json.error}.`, problems: [], ...json } as unknown as Answered
      },
      (text) => {
        if (text) said.textContent = text
        void refresh()
      },
    )
  }

  function logIn(problem: string): void {
    const name = field('by', 'Your name, for the history', { autocomplete: 'username' })
    const key = field('key', 'Key', { type: 'password', autocomplete: 'current-password' })
    name.input.value = sessionStorage.getItem(NAME) ?? ''
    const form = h(
      'form',
      { class: 'card log-in' },
      h('h1', {}, 'Control'),
      name.row,
      key.row,
      h('p', { role: 'alert', class: 'refused' }, problem),
      h('button', { class: 'button primary' }, 'Open'),
    )
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      sessionStorage.setItem(NAME, name.input.value.trim())
      sessionStorage.setItem(KEY, key.input.value)
      void refresh()
    })
    place.replaceChildren(h('main', {}, form))
    ;(name.input.value ? key : name).input.focus()
  }

  void refresh()
  setInterval(() => {
    const isLoggedIn = sessionStorage.getItem(KEY) !== null
    if (isLoggedIn && !document.hidden && !document.querySelector('dialog')) void refresh()
  }, REFRESH_MS)
}

function field(id: string, label: string, attributes: Record<string, string>) {
  const input = h('input', { id, required: true, maxlength: 200, ...attributes })
  return { input, row: h('label', { class: 'field' }, label, input) }
}
