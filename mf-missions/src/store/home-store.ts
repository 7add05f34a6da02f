import { CLAIM_DELAY_MS, MAX_MISSION_CARDS } from '@anniversary/shared/contract/event'
import { lastDrawBegun } from '@anniversary/shared/contract/event-timeline'
import { type Claim, type Host, isApiError, type Mission } from '@anniversary/shared/contract/host'
import { SHARE_MISSION } from '@anniversary/shared/contract/missions'
import { paths } from '@anniversary/shared/contract/paths'
import { createStore } from 'zustand/vanilla'
import { texts } from '../texts.ts'
import { initialState, isForm, withClaimed, withMissions } from './home-state.ts'
import { dropDraft } from './share-links.ts'

export type HomeStore = ReturnType<typeof createHomeStore>

/** State and actions of /home, without React. One claim at a time; only the client repeats it, where the server puts it off. */
export function createHomeStore(host: Host) {
  const { getState: state, setState: set, subscribe } = createStore(() => initialState)

  /** Generations: answers from before the page was left or another login are dropped, and all lists but the last. */
  let visit = 0
  let loads = 0
  /** Timer of the claim that waits out its delay. */
  let unsent: ReturnType<typeof setTimeout> | undefined
  let token: string | undefined
  let expired = false

  const cancelUnsent = () => {
    if (unsent === undefined) return
    clearTimeout(unsent)
    unsent = undefined
    set({ busy: null })
  }

  const leave = () => {
    cancelUnsent()
    visit++
    loads++
    set({ busy: null })
  }

  /** Shows section 8's message of a failed call. @returns true when the host takes the member to /login */
  const report = (error: unknown, text: string): boolean => {
    const failure = isApiError(error) ? error.failure : undefined
    if (failure === 'no-token') return true
    if (failure === 'unauthorized') {
      if (!expired) host.notify.warning(texts.sessionExpired, { afterReload: true })
      expired = true
      return true
    }
    host.notify.error(text)
    return false
  }

  const load = async () => {
    const mine = ++loads
    set({ loading: true })
    try {
      const missions = await host.api.missions()
      if (mine !== loads) return
      set((state) => withMissions(state, missions.slice(0, MAX_MISSION_CARDS)))
      const { dialog } = state()
      if (isForm(dialog) && missions.some(({ id, claimed }) => id === dialog.mission.id && claimed === 0)) {
        host.notify.warning(texts.notOpen)
        set({ problem: texts.notOpen })
      }
      if (lastDrawBegun(host.clock.now()) === 0) return
      const results = await host.api.draws()
      if (mine === loads && results.length > 0) set({ results })
    } catch (error) {
      if (mine === loads && !report(error, texts.loadFailed)) set({ loading: false, failed: true })
    }
  }

  const take = async (claim: Claim, failed: string, refused = showRefusal, delay = 0) => {
    if (state().busy !== null) return
    const mine = visit
    const { username = '' } = host.session.current() ?? {}
    set({ busy: claim.mission, problem: null })
    if (delay > 0) {
      await new Promise<void>((resolve) => {
        unsent = setTimeout(resolve, delay)
      })
      unsent = undefined
    }
    try {
      const result = await host.api.takeCode(claim)
      if (result.ok && claim.shareLinks) dropDraft(username)
      if (mine !== visit) return
      if (result.ok) {
        // A list requested before the claim would show the card as unclaimed.
        loads++
        set((state) => withClaimed(state, claim.mission, result.codes))
      } else {
        set({ busy: null })
        refused(result.message)
      }
    } catch (error) {
      if (mine !== visit) return
      set({ busy: null })
      if (!report(error, failed)) askForLost(claim.mission, failed)
    }
  }

  /** The server may have granted a claim whose answer got lost: the list shows it. */
  const askForLost = (lost: string, text: string) => {
    set({ lost, problem: isForm(state().dialog) ? text : null })
    // Offline, the `online` event loads the list; asking now would only fail again.
    if (navigator.onLine) load()
    else set({ failed: true, loading: false })
  }

  const showRefusal = (message?: string) =>
    set({ dialog: { kind: 'refused', text: message || texts.missionNotFound }, problem: null })

  const showStreakRefusal = (message?: string) => {
    const text = message || texts.streakRefused
    host.notify.error(text)
    if (isForm(state().dialog)) set({ problem: text })
  }

  const onPageShow = (event: PageTransitionEvent) => {
    if (!event.persisted) return
    cancelUnsent()
    load()
  }
  const onOnline = () => {
    if (state().failed) load()
  }
  const onSession = () => {
    const next = host.session.current()?.token
    if (next === token) return
    token = next
    leave()
    if (next === undefined) return
    expired = false
    set(initialState)
    load()
  }

  return {
    state,
    subscribe,
    connect() {
      const ended = new AbortController()
      const { signal } = ended
      token = host.session.current()?.token
      // In a microtask, because StrictMode connects, disconnects and connects again.
      queueMicrotask(() => {
        if (!signal.aborted) load()
      })
      addEventListener('pageshow', onPageShow, { signal })
      addEventListener('online', onOnline, { signal })
      const unsubscribe = host.session.subscribe(onSession)
      return () => {
        ended.abort()
        unsubscribe()
        leave()
      }
    },
    reload: () => void load(),
    /** Shows stored codes, opens a form or claims, by the mission's state (specification, section 4). */
    press(mission: Mission) {
      if (mission.claimed === 1)
        set({ dialog: { kind: 'codes', codes: mission.codes, fresh: false }, lost: null })
      else if (mission.claimed === 0) return
      else if (state().busy !== null) host.notify.info(texts.oneAtATime)
      else if (mission.claimed === 3) set({ dialog: { kind: 'streak', mission }, problem: null })
      else if (mission.id === SHARE_MISSION) set({ dialog: { kind: 'share', mission }, problem: null })
      else take({ mission: mission.id }, texts.claimFailed, showRefusal, CLAIM_DELAY_MS)
    },
    submitShare(links: readonly string[]) {
      const shareLinks = links.map((link) => link.trim())
      // Behind the dialog's own check (specification, section 5).
      if (shareLinks.includes('')) {
        host.notify.error(texts.shareIncomplete)
        set({ problem: texts.shareIncomplete })
        return
      }
      const { dialog } = state()
      if (isForm(dialog)) take({ mission: dialog.mission.id, shareLinks }, texts.shareFailed)
    },
    submitStreak(streak: NonNullable<Claim['streak']>) {
      const { dialog } = state()
      if (isForm(dialog)) take({ mission: dialog.mission.id, streak }, texts.streakFailed, showStreakRefusal)
    },
    closeDialog() {
      const { dialog } = state()
      if (dialog === null) return
      set({ dialog: null, problem: null })
      if (dialog.kind === 'refused') host.reload()
      if (dialog.kind === 'codes' && dialog.fresh) load()
    },
    logOut() {
      dropDraft(host.session.current()?.username ?? '')
      host.session.clear()
      host.navigate(paths.login)
    },
  }
}
