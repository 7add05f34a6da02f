import { useEffect, useEffectEvent } from 'react'
import { EVENTS } from '../contract/page-names.ts'

export function useNetworkRetry(failed: boolean, retry: () => void): void {
  const again = useEffectEvent(retry)
  useEffect(() => {
    if (!failed) return
    const ended = new AbortController()
    for (const type of ['online', EVENTS.networkFound])
      addEventListener(type, () => again(), { signal: ended.signal })
    return () => ended.abort()
  }, [failed])
}
