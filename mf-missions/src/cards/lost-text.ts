import type { Mission } from '@anniversary/shared/contract/host'
import type { HomeState } from '../store/home-state.ts'
import { missionTexts as texts } from '../texts.ts'

/** Undefined for every mission but the one whose claim got no answer. */
export function lostText(
  { lost, loading, failed }: HomeState,
  { id, claimed }: Mission,
): string | undefined {
  if (id !== lost) return undefined
  if (failed && !navigator.onLine) return texts.lostOffline
  if (failed) return texts.lostFailed
  if (loading) return texts.lostChecking
  if (claimed === 1) return texts.lostGranted
  if (claimed === 0) return texts.notOpen
  return texts.lostNotGranted
}
