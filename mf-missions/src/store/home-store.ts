import { isDrawMoment, type Moment } from '@anniversary/shared/contract/event-timeline'
import type { Host, Mission } from '@anniversary/shared/contract/host'
import { SHARE_MISSION } from '@anniversary/shared/contract/missions'
import { EVENTS } from '@anniversary/shared/contract/page-names'
import { paths } from '@anniversary/shared/contract/paths'
import { createStore } from 'zustand/vanilla'
import { missionTexts as texts } from '../texts.ts'
import { createClaims } from './claims.ts'
import { initialState } from './home-state.ts'
import { createMissionList } from './mission-list.ts'
import { createResults, forgetMember } from './results.ts'
import { dropShareDraft } from './share-links.ts'

export type HomeStore = ReturnType<typeof createHomeStore>

export function createHomeStore(host: Host) {
  const store = createStore(() => initialState)
  const { getState: state, setState: set, subscribe } = store
  const results = createResults(host, state, set)
  const list = createMissionList(host, store, results.load)
  const claims = createClaims(host, store, list)
  let token: string | undefined

  const onPageShow = (event: PageTransitionEvent) => {
    if (!event.persisted) return
    claims.cancelUnsent()
    void list.load()
  }
  const onOnline = () => {
    if (state().failed) void list.load()
    else results.repeatFailed(claims.signal())
  }
  // Told by each answer in a browser that says it is offline, so also by that
  // of the list which is loading.
  const onNetworkFound = () => {
    if (!state().loading) onOnline()
  }
  const onSession = () => {
    const next = host.session.current()?.token
    if (next === token) return
    token = next
    claims.leave()
    if (next === undefined) return
    set(initialState)
    void list.load()
  }

  const land = () => set(({ landing }) => ({ landing: null, landed: landing }))

  const closeDialog = () => {
    const { dialog } = state()
    if (dialog === null) return
    set({ dialog: null, problem: null })
    // The page ends, so no win may count as shown.
    if (dialog.kind === 'refused') host.reload()
    else if (dialog.kind === 'codes' && dialog.fresh) void list.load()
    else results.celebrate()
  }

  return {
    state,
    subscribe,
    submitShare: claims.submitShare,
    submitStreak: claims.submitStreak,
    turn: list.turn,
    connect() {
      const connection = new AbortController()
      const { signal } = connection
      token = host.session.current()?.token
      // In a microtask, because StrictMode connects, disconnects and connects
      // again.
      queueMicrotask(() => {
        if (!signal.aborted) void list.load()
      })
      addEventListener('pageshow', onPageShow, { signal })
      addEventListener('online', onOnline, { signal })
      addEventListener(EVENTS.networkFound, onNetworkFound, { signal })
      const unsubscribe = host.session.subscribe(onSession)
      return () => {
        connection.abort()
        unsubscribe()
        claims.leave()
      }
    },
    reload: () => void list.load(),
    reloadOnline: list.loadOnline,
    reloadResults: () => results.load(claims.signal()),
    /** A stage changes the list. A draw changes only the results. */
    afterMoments(moments: readonly Moment[]): void {
      const withResults = moments.some(isDrawMoment)
      if (moments.every(isDrawMoment)) void results.load(claims.signal())
      else void list.load({ withResults })
    },
    /** Specification, section 4. */
    press(mission: Mission): void {
      const { id, claimed, codes } = mission
      if (claimed === 0) return
      if (claimed === 1) {
        set({ dialog: { kind: 'codes', mission: id, codes, fresh: false }, lost: null })
        return
      }
      if (state().busy !== null) {
        host.notify.info(texts.oneAtATime)
        return
      }
      if (claimed === 3) set({ dialog: { kind: 'streak', mission }, problem: null })
      else if (id === SHARE_MISSION) set({ dialog: { kind: 'share', mission }, problem: null })
      else claims.takeAfterDelay(id)
    },
    closeDialog,
    /** Its code cannot be loaded. */
    giveUpDialog(): void {
      const { dialog } = state()
      if (dialog === null) return
      if (dialog.kind === 'refused') host.notify.error(dialog.text, { afterReload: true })
      else host.notify.error(texts.notLoaded)
      land()
      closeDialog()
    },
    land,
    logOut(): void {
      dropShareDraft(host.session.current()?.username ?? '')
      forgetMember()
      host.session.clear()
      host.navigate(paths.login)
    },
  }
}
