import { useEffect, useState } from 'react'

/**
 * Loads a part of a page once it is wanted. Not React.lazy: that keeps a failed load for ever, and this one is asked
 * for anew by `retry`.
 * @param load a function that stays the same between renders
 */
export function useLoaded<T>(wanted: boolean, load: () => Promise<T>) {
  const [loaded, setLoaded] = useState<{ part: T }>()
  const [failed, setFailed] = useState(false)
  const [attempt, setAttempt] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt is a reason to load
  useEffect(() => {
    if (!wanted) return
    let current = true
    load().then(
      (part) => current && setLoaded({ part }),
      () => current && setFailed(true),
    )
    return () => {
      current = false
      setFailed(false)
    }
  }, [wanted, load, attempt])

  return { part: loaded?.part, failed, retry: () => setAttempt((n) => n + 1) }
}
