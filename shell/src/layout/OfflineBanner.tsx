import { useLayoutEffect, useRef } from 'react'
import { texts } from '../texts.ts'
import { notify } from '../toasts/toast-store.ts'
import { Banner } from './Banner.tsx'
import { useOffline } from './use-offline.ts'

/** Says that there is no network as long as there is none, with a retry. */
export function OfflineBanner() {
  const { offline, trying, retry } = useOffline(() => notify.warning(texts.offline.still))
  const told = useRef(offline)

  useLayoutEffect(() => {
    if (told.current && !offline) {
      notify.success(texts.offline.back)
      // The button is gone, and focus with it.
      if (document.activeElement === document.body)
        document.querySelector('main')?.focus({ preventScroll: true })
    }
    told.current = offline
  }, [offline])

  return (
    <Banner
      text={offline ? texts.offline.text : null}
      action={{ label: texts.retry, busy: trying, onPress: retry }}
    />
  )
}
