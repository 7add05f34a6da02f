import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/**
 * Returns false during hydration, when the page must render as its prerendered
 * HTML, and true afterwards.
 */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
