import { useEffect, useState } from 'react'

/** A small file of the site that is never answered from a cache. */
const PROBE = '/composition.json'

export interface Offline {
  /** The browser has no network at all; a network that leads nowhere is told by the call that fails. */
  readonly offline: boolean
  readonly trying: boolean
  /** Looks whether the site answers. If so, everything that waits for the network hears of it. */
  retry(): Promise<void>
}

/** @param onStill called when `retry` found no network */
export function useOffline(onStill: () => void): Offline {
  const [offline, setOffline] = useState(() => !navigator.onLine)
  const [trying, setTrying] = useState(false)
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
      // The pages reload on this event what they could not load; a browser may be minutes late with its own.
      dispatchEvent(new Event('online'))
    } catch {
      onStill()
    } finally {
      setTrying(false)
    }
  }
  return { offline, trying, retry }
}
