import { useEffect, useLayoutEffect, useState } from 'react'

/** A small file of the site. */
const PROBE = '/composition.json'

export interface Offline {
  /** The browser has no network at all. On a network without a connection the calls fail and say so themselves. */
  readonly offline: boolean
  readonly trying: boolean
  /** Checks whether the site answers. If so, dispatches `online` for all that waits for the network. */
  retry(): Promise<void>
}

/** @param onStill called when `retry` found no network */
export function useOffline(onStill: () => void): Offline {
  // Not at once: the first render is that of the page's HTML from build time.
  const [offline, setOffline] = useState(false)
  const [trying, setTrying] = useState(false)
  useLayoutEffect(() => setOffline(!navigator.onLine), [])
  useEffect(() => {
    const follow = ({ type }: Event) => setOffline(type === 'offline')
    addEventListener('offline', follow)
    addEventListener('online', follow)
    return () => {
      removeEventListener('offline', follow)
      removeEventListener('online', follow)
    }
  }, [])

  const retry = async () => {
    if (trying) return
    setTrying(true)
    try {
      await fetch(PROBE, { method: 'HEAD', cache: 'no-store' })
      // On this event pages load what they could not load; the browser's own may be minutes late.
      dispatchEvent(new Event('online'))
    } catch {
      onStill()
    } finally {
      setTrying(false)
    }
  }
  return { offline, trying, retry }
}
