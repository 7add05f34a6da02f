import { useEffect, useLayoutEffect, useState } from 'react'
import { texts } from '../texts.ts'
import { notify } from '../toasts/toast-store.ts'
import { Banner } from './Banner.tsx'

/** A small file of the site. */
const PROBE = '/composition.json'

/**
 * Says that the browser has no network at all as long as it has none, with a retry. On a network without a connection
 * the calls fail and say so themselves.
 */
export function OfflineBanner() {
  // Not at once: the first render is that of the page's HTML from build time.
  const [offline, setOffline] = useState(false)
  const [trying, setTrying] = useState(false)

  useLayoutEffect(() => {
    setOffline(!navigator.onLine)
    const follow = ({ type }: Event) => setOffline(type === 'offline')
    addEventListener('offline', follow)
    addEventListener('online', follow)
    return () => {
      removeEventListener('offline', follow)
      removeEventListener('online', follow)
    }
  }, [])
  useEffect(() => {
    if (!offline) return
    return () => {
      notify.success(texts.offline.back)
      // The button is gone, and focus with it.
      if (document.activeElement === document.body)
        document.querySelector('main')?.focus({ preventScroll: true })
    }
  }, [offline])

  const retry = async () => {
    setTrying(true)
    try {
      await fetch(PROBE, { method: 'HEAD', cache: 'no-store' })
      // On this event pages load what they could not load; the browser's own may be minutes late.
      dispatchEvent(new Event('online'))
    } catch {
      notify.warning(texts.offline.still)
    } finally {
      setTrying(false)
    }
  }

  return (
    <Banner
      text={offline ? texts.offline.text : null}
      action={{ label: texts.retry, busy: trying, onPress: retry }}
    />
  )
}
