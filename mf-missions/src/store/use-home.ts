import type { Host } from '@anniversary/shared/contract/host'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { HomeState } from './home-state.ts'
import { createHomeStore, type HomeStore } from './home-store.ts'

/** The store of one visit to /home, connected for as long as the page is shown. */
export function useHome(host: Host): [HomeState, HomeStore] {
  const [store] = useState(() => createHomeStore(host))
  useEffect(() => store.connect(), [store])
  return [useSyncExternalStore(store.subscribe, store.state, store.state), store]
}
