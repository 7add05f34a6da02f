import { MAX_MISSION_CARDS } from '@anniversary/shared/contract/event'
import { isDrawMoment, isStageOpen, nextMoment } from '@anniversary/shared/contract/event-timeline'
import type { Host, MissionList } from '@anniversary/shared/contract/host'
import { isForbidden } from '@anniversary/shared/error-message'
import type { StoreApi } from 'zustand/vanilla'
import { missionTexts as texts } from '../texts.ts'
import { type HomeState, isFormDialog, orderOfCards, withMissions } from './home-state.ts'

type Store = Pick<StoreApi<HomeState>, 'getState' | 'setState'>

/** @param loadResults what comes after each list */
export function createMissionList(
  host: Host,
  { getState: state, setState: set }: Store,
  loadResults: (signal: AbortSignal) => Promise<void>,
) {
  /**
   * Aborted by a newer request of the list, and by a claim, which an older list
   * would not contain.
   */
  let request = new AbortController()

  const show = (list: MissionList) => {
    const now = host.clock.now()
    const moment = nextMoment(now)
    if (moment && isDrawMoment(moment)) set({ isDrawNext: true })
    const { next = null } = list
    if (next && next.at <= now) {
      const missions = next.missions.slice(0, MAX_MISSION_CARDS)
      set((state) => ({
        ...withMissions(state, missions, null),
        order: orderOfCards(missions),
        // A claim of the stage before says nothing of this one.
        lost: isStageOpen(now) ? null : state.lost,
      }))
    } else {
      const missions = list.slice(0, MAX_MISSION_CARDS)
      set((state) => withMissions(state, missions, next))
    }
    warnInForm()
  }

  const warnInForm = () => {
    const { dialog, missions } = state()
    if (!isFormDialog(dialog)) return
    const shown = missions?.find(({ id }) => id === dialog.mission.id)
    if (shown?.claimed !== 0) return
    host.notify.warning(texts.notOpen)
    set({ problem: texts.notOpen })
  }

  const abort = () => request.abort()

  const load = async ({ withResults = true } = {}): Promise<void> => {
    abort()
    request = new AbortController()
    const { signal } = request
    set({ loading: true })
    try {
      const missions = await host.api.missions()
      if (signal.aborted) return
      show(missions)
      if (withResults) await loadResults(signal)
    } catch (error) {
      if (signal.aborted) return
      host.notify.error(texts.loadFailed)
      const refusal = isForbidden(error) ? error.message : null
      set({
        loading: false,
        failed: true,
        refusal,
        // A member who was banned can claim none of the cards.
        ...(refusal !== null && { missions: null }),
      })
    }
  }

  /** Offline, a call would only fail; the `online` event loads the list. */
  const loadOnline = (): void => {
    if (navigator.onLine) void load()
    else set({ failed: true, loading: false })
  }

  return {
    abort,
    load,
    loadOnline,
    turn(): void {
      const { missions, next } = state()
      if (missions && next) show(Object.assign([...missions], { next }))
    },
    /** The server may have granted a claim whose answer got lost. */
    askForLost(lost: string, text: string): void {
      set({ lost, problem: isFormDialog(state().dialog) ? text : null })
      loadOnline()
    },
  }
}
