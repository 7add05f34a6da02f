import { EVENTS } from '@anniversary/shared/contract/page-names'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { texts } from '../texts.ts'
import { notify } from '../toasts/toast-store.ts'
import { Banner } from './Banner.tsx'

const PROBE = '/composition.json'

/** Whether the browser has a network. At first it has one, as in the page's HTML. */
const network = createStore(() => ({ online: true }))

for (const type of ['online', 'offline', EVENTS.networkFound])
  addEventListener(type, () => network.setState({ online: type !== 'offline' }))
network.setState({ online: navigator.onLine })

/** Says that the browser has no network. On a network without a connection the calls fail and say so themselves. */
export function OfflineBanner() {
  const { online } = useStore(network)
  const [trying, setTrying] = useState(false)

  useEffect(() => {
    if (online) return
    return () => {
      notify.success(texts.offline.back)
      // The button is gone, and focus with it.
      if (document.activeElement === document.body)
        document.querySelector('main')?.focus({ preventScroll: true })
    }
  }, [online])

  const retry = async () => {
    setTrying(true)
    const probe = fetch(PROBE, { method: 'HEAD', cache: 'no-store' })
    const isBack = await probe.then(
      () => true,
      () => false,
    )
    setTrying(false)
    // Pages load on this event what they could not load; the browser's own `online` may be minutes late.
    if (isBack) dispatchEvent(new Event(EVENTS.networkFound))
    else notify.warning(texts.offline.still)
  }

  if (online) return null
  return <Banner text={texts.offline.text} label={texts.retry} busy={trying} onPress={retry} />
}
