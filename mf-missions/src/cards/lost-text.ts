import { nextMoment } from '@anniversary/shared/contract/event-timeline'
import type { HomeState } from '../store/home-state.ts'
import { missionTexts as texts } from '../texts.ts'

export const isStageOpen = (now: Date): boolean => nextMoment(now)?.kind === 'stage-end'

export function lostText({ loading, failed }: HomeState, isGranted: boolean): string {
  if (failed) return navigator.onLine ? texts.lostFailed : texts.lostOffline
  if (loading) return texts.lostChecking
  return isGranted ? texts.lostGranted : texts.lostNotGranted
}
