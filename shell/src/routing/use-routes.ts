import type { SiteRoutes } from '@anniversary/shared/contract/routes'
import { useSyncExternalStore } from 'react'
import type { Routes } from '../route-table.ts'

/** The routes that are known, by path. */
export const useRoutes = ({ subscribe, now }: Routes): SiteRoutes => useSyncExternalStore(subscribe, now, now)
