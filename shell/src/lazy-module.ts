import { useEffect, useState } from 'react'

/**
 * A lazily loaded module of the shell's own, without Suspense (React holds a fallback for 300 ms) and without its cached
 * rejection: a failed import is tried anew by the next mount.
 */
export interface LazyModule<T> {
  /** Starts loading; joins a load in flight. */
  load(): Promise<T>
  /** The module, once it is there. */
  current(): T | undefined
}

export function lazyModule<T>(load: () => Promise<T>): LazyModule<T> {
  let current: T | undefined
  let loading: Promise<T> | undefined
  return {
    current: () => current,
    load() {
      loading ??= load().then(
        (module) => {
          current = module
          return module
        },
        (error: unknown) => {
          loading = undefined
          throw error
        },
      )
      return loading
    },
  }
}

/** Loads the module while the component is mounted. */
export function useLazyModule<T>(module: LazyModule<T>, onError: (error: unknown) => void): T | undefined {
  const [, setLoaded] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: one load per mount; onError may be a new function each time
  useEffect(() => {
    if (module.current()) return
    let here = true
    module.load().then(
      () => here && setLoaded(true),
      (error: unknown) => here && onError(error),
    )
    return () => {
      here = false
    }
  }, [module])
  return module.current()
}
