import { useDeferredValue } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { texts } from '../texts.ts'
import { notify } from '../toasts/toast-store.ts'
import type { Rules } from './Rules.tsx'

const rulesStore = createStore<{ open: boolean; Popup?: typeof Rules }>(() => ({ open: false }))
export const closeRules = () => rulesStore.setState({ open: false })

/** Opens the rules popup and loads it. React.lazy would show a fallback for 300 ms and never retry a failed import. */
export async function openRules(): Promise<void> {
  rulesStore.setState({ open: true })
  try {
    const { Rules } = await import(/* webpackChunkName: "rules" */ './Rules.tsx')
    rulesStore.setState({ Popup: Rules })
  } catch {
    if (!rulesStore.getState().open) return
    notify.error(texts.rulesUnavailable)
    closeRules()
  }
}

export function RulesPopup({ supportUrl }: { supportUrl?: string | undefined }) {
  // Deferred, so that the click paints first.
  const { open, Popup } = useDeferredValue(useStore(rulesStore))
  return open && Popup ? <Popup onClose={closeRules} supportUrl={supportUrl} /> : null
}
