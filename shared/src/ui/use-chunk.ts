import { useEffect, useEffectEvent, useState } from 'react'

const ignore = () => undefined

/**
 * Loads a chunk once `wanted` is something, and again with the next value after
 * a failure. Undefined until it has loaded. React.lazy would show a fallback
 * for 300 ms and never retry a failed import.
 */
export function useChunk<T>(
  load: () => Promise<T>,
  wanted: unknown,
  onFailure: () => void = ignore,
): T | undefined {
  const [chunk, setChunk] = useState<T>()
  const failed = useEffectEvent(onFailure)

  useEffect(() => {
    if (!wanted || chunk) return
    let isCurrent = true
    load().then(setChunk, () => isCurrent && failed())
    return () => {
      isCurrent = false
    }
  }, [load, wanted, chunk])

  return chunk
}
