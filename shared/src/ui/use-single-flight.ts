import { useCallback, useEffect, useRef } from 'react'

/**
 * Returns a function like `call().then(onResult, onError)` that ignores a call
 * while another one is under way, and drops an answer that comes after the
 * component has gone. A ref, because state would come too late for the second
 * of two quick clicks.
 */
export function useSingleFlight() {
  const underWay = useRef(false)
  const mounted = useRef(false)
  useEffect(() => {
    mounted.current = true
    return () => {
      mounted.current = false
    }
  }, [])

  return useCallback(
    async <T>(
      call: () => Promise<T>,
      onResult: (result: T) => void,
      onError: (error: unknown) => void,
    ): Promise<void> => {
      if (underWay.current) return
      underWay.current = true
      const next = await call().then(
        (result) => () => onResult(result),
        (error: unknown) => () => onError(error),
      )
      underWay.current = false
      if (mounted.current) next()
    },
    [],
  )
}
