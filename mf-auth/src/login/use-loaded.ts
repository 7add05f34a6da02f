import { useEffect, useState } from 'react'

/**
 * Loads a part of a page once it is wanted, and again on `retry`; React.lazy would keep a failed load for ever.
 * @param load the same function in every render
 */
export function useLoaded<T>(wanted: boolean, load: () => Promise<T>) {
  const [loaded, setLoaded] = useState<{ part: T }>()
  const [failed, setFailed] = useState(false)
  const [attempt, setAttempt] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt loads again
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
