import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/** False while a page renders as its HTML from build time did, true from then on. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
