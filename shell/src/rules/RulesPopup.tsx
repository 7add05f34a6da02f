import { useChunk } from '@anniversary/shared/ui/use-chunk'
import { useDeferredValue } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import styles from '../layout/Notice.module.css'
import { shellTexts as texts } from '../texts.ts'
import { notifyMember } from '../toasts/toast-store.ts'

const popup = createStore(() => ({ isOpen: false }))

export const openRulesPopup = (): void => popup.setState({ isOpen: true })
export const closeRules = (): void => popup.setState({ isOpen: false })

export const loadRulesChunk = () => import(/* webpackChunkName: "rules" */ './Rules.tsx')

function failToOpen(): void {
  notifyMember.error(texts.rules.unavailable)
  closeRules()
}

export function RulesPopup({ supportUrl }: { supportUrl?: string | undefined }) {
  // Deferred, so that the click paints first.
  const isOpen = useDeferredValue(useStore(popup).isOpen)
  const rules = useChunk(loadRulesChunk, isOpen, failToOpen)
  if (!isOpen || !rules) return null
  return <rules.Rules onClose={closeRules} supportUrl={supportUrl} />
}

export function RulesNotice() {
  const { isOpen } = useStore(popup)
  const rules = useChunk(loadRulesChunk, isOpen)
  if (!isOpen || rules) return null
  return <div className={styles.banner}>{texts.rules.loading}</div>
}
