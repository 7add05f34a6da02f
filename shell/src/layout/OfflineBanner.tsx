import { EVENTS } from '@anniversary/shared/contract/page-names'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { shellTexts as texts } from '../texts.ts'
import { notifyMember } from '../toasts/toast-store.ts'
import { Banner } from './Banner.tsx'
import { focusMain } from './focus-page-heading.ts'

const PROBE = '/composition.json'
const PROBE_LIMIT_MS = 10_000

/** At first there is one, as in the page's HTML. */
const network = createStore(() => ({ online: true }))

for (const type of ['online', 'offline', EVENTS.networkFound])
  addEventListener(type, () => network.setState({ online: type !== 'offline' }))
network.setState({ online: navigator.onLine })
// WebKit tells a page in its back-forward cache nothing.
addEventListener('pageshow', () => navigator.onLine && network.setState({ online: true }))

/**
 * Calls that fail on a network without a connection show their own messages.
 */
export function OfflineBanner() {
  const { online } = useStore(network)
  const [trying, setTrying] = useState(false)

  useEffect(() => network.subscribe(announceChange), [])

  const retry = async () => {
    setTrying(true)
    const isBack = await answersProbe()
    setTrying(false)
    // Pages reload what had failed. The browser's own `online` event may come
    // minutes later.
    if (isBack) dispatchEvent(new Event(EVENTS.networkFound))
    else notifyMember.warning(texts.offline.still)
  }

  if (online) return null
  return <Banner text={texts.offline.text} label={texts.retry} busy={trying} onPress={retry} />
}

function announceChange({ online }: { online: boolean }, before: { online: boolean }): void {
  if (!online || before.online) return
  notifyMember.success(texts.offline.back)
  // The button may have the focus, and is about to go.
  if (document.activeElement?.closest('[role=status]')) focusMain()
}

async function answersProbe(): Promise<boolean> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), PROBE_LIMIT_MS)
  try {
    await fetch(PROBE, { method: 'HEAD', cache: 'no-store', signal: limit.signal })
    return true
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}
