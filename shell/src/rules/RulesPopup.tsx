import { useEffect } from 'react'
import { useLocation } from 'react-router-dom'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { lazyModule, useLazyModule } from '../lazy-module.ts'
import { texts } from '../texts.ts'
import { notify } from '../toasts/toast-store.ts'

const rulesStore = createStore<{ open: boolean }>(() => ({ open: false }))
export const openRules = () => rulesStore.setState({ open: true })
const closeRules = () => rulesStore.setState({ open: false })

const rules = lazyModule(() => import(/* webpackChunkName: "rules" */ './Rules.tsx'))

/** The rules popup of every page; its text and artwork load when it is first opened. */
export function RulesPopup({ supportUrl }: { supportUrl?: string | undefined }) {
  const open = useStore(rulesStore, (state) => state.open)
  return open ? <OpenRules supportUrl={supportUrl} /> : null
}

function OpenRules({ supportUrl }: { supportUrl?: string | undefined }) {
  // The back button leaves the page that the popup lies over; it goes with that page.
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes when the path changes, and only then
  useEffect(() => closeRules, [pathname])
  const loaded = useLazyModule(rules, () => {
    notify.error(texts.rulesUnavailable)
    closeRules()
  })
  return loaded ? <loaded.Rules open onClose={closeRules} supportUrl={supportUrl} /> : null
}
