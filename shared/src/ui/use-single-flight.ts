import { useCallback, useEffect, useRef } from 'react'

/**
 * Returns a function like `call().then(onResult, onError)` that ignores a call
 * while another one is under way, and drops an answer that comes after the
 * component has gone; and a function that drops the call under way. A ref,
 * because state would come too late for the second of two quick clicks.
 */
export function useSingleFlight() {
  const underWay = useRef<object | null>(null)
  const mounted = useRef(false)
  useEffect(() => {
    mounted.current = true
    return () => {
      mounted.current = false
    }
  }, [])

  const run = useCallback(
    async <T>(
      call: () => Promise<T>,
      onResult: (result: T) => void,
      onError: (error: unknown) => void,
    ): Promise<void> => {
      if (underWay.current) return
      const flight = {}
      underWay.current = flight
      const next = await call().then(
        (result) => () => onResult(result),
        (error: unknown) => () => onError(error),
      )
      if (underWay.current !== flight) return
      underWay.current = null
      if (mounted.current) next()
    },
    [],
  )
  const drop = useCallback(() => {
    underWay.current = null
  }, [])
  return [run, drop] as const
}
