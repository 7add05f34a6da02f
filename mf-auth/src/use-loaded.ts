import { useEffect, useState } from 'react'

/**
 * Loads a part of a page once it is wanted. Not React.lazy: that keeps a failed load for ever, and this one is asked
 * for anew by `retry`.
 * @param load a function that stays the same between renders
 */
export function useLoaded<T>(wanted: boolean, load: () => Promise<T>) {
  const [loaded, setLoaded] = useState<{ part: T }>()
  const [attempt, setAttempt] = useState(0)
  const [failedAttempt, setFailedAttempt] = useState(-1)

  useEffect(() => {
    if (!wanted) return
    let current = true
    load().then(
      (part) => current && setLoaded({ part }),
      () => current && setFailedAttempt(attempt),
    )
    return () => {
      current = false
    }
  }, [wanted, load, attempt])

  return {
    part: loaded?.part,
    failed: failedAttempt === attempt,
    retry: () => setAttempt((n) => n + 1),
  }
}
