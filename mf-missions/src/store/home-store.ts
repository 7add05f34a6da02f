import { CLAIM_DELAY_MS, MAX_MISSION_CARDS } from '@anniversary/shared/contract/event'
import { type Moment, nextMoment } from '@anniversary/shared/contract/event-timeline'
import type { Claim, Host, Mission, MissionList } from '@anniversary/shared/contract/host'
import { isApiError } from '@anniversary/shared/contract/host'
import { SHARE_MISSION } from '@anniversary/shared/contract/missions'
import { EVENTS } from '@anniversary/shared/contract/page-names'
import { paths } from '@anniversary/shared/contract/paths'
import { createStore } from 'zustand/vanilla'
import { texts } from '../texts.ts'
import { initialState, isForm, withClaimed, withMissions } from './home-state.ts'
import { createResults, forgetMember } from './results.ts'
import { dropDraft } from './share-links.ts'

export type HomeStore = ReturnType<typeof createHomeStore>

interface ClaimHandling {
  readonly failed: string
  /** What a refusal without a message says in the form. Without it, a refusal ends the form. */
  readonly refusedInForm?: string
}

const HTTP_FORBIDDEN = 403

/** State and actions of /home, without React. One claim runs at a time. The API client repeats it if the server asks for that. */
export function createHomeStore(host: Host) {
  const { getState: state, setState: set, subscribe } = createStore(() => initialState)
  const results = createResults(host, state, set)

  /** Aborted when the member leaves the page or logs in as another: answers that come later are dropped. */
  let visit = new AbortController()
  /** Aborted by a newer request of the list, and by a claim, which an older list would not contain. */
  let list = new AbortController()
  /** Timer of the claim that waits out its delay. */
  let unsent: ReturnType<typeof setTimeout> | undefined
  let token: string | undefined

  const cancelUnsent = () => {
    if (unsent === undefined) return
    clearTimeout(unsent)
    unsent = undefined
    set({ busy: null })
  }

  const leave = () => {
    cancelUnsent()
    visit.abort()
    list.abort()
    visit = new AbortController()
    set({ busy: null })
  }

  /** Shows a list, or the one that it carries if that one's time has come. */
  const show = (list: MissionList) => {
    const now = host.clock.now()
    if (state().missions === null)
      set({ isDrawNext: nextMoment(now)?.kind.startsWith('draw') ?? false })
    const isOver = list.next && list.next.at <= now
    const missions = isOver ? list.next.missions : list
    set((state) =>
      withMissions(state, missions.slice(0, MAX_MISSION_CARDS), (!isOver && list.next) || null),
    )
    const { dialog } = state()
    if (!isForm(dialog)) return
    const shown = missions.find(({ id }) => id === dialog.mission.id)
    if (shown?.claimed !== 0) return
    host.notify.warning(texts.notOpen)
    set({ problem: texts.notOpen })
  }

  const load = async ({ withResults = true } = {}) => {
    list.abort()
    list = new AbortController()
    const { signal } = list
    set({ loading: true })
    try {
      const missions = await host.api.missions()
      if (signal.aborted) return
      show(missions)
      if (withResults) await results.load(signal)
    } catch (error) {
      if (signal.aborted) return
      host.notify.error(texts.loadFailed)
      const refusal = isApiError(error) && error.status === HTTP_FORBIDDEN ? error.message : null
      set({ loading: false, failed: true, refusal })
    }
  }

  /** Sends the claim. `failed` is the message when the call fails. */
  const take = async (claim: Claim, { failed, refusedInForm }: ClaimHandling) => {
    const { signal } = visit
    const { username = '' } = host.session.current() ?? {}
    set({ busy: claim.mission, problem: null })
    try {
      const result = await host.api.takeCode(claim)
      if (result.ok && claim.shareLinks) dropDraft(username)
      if (signal.aborted) return
      if (result.ok) {
        list.abort()
        set((state) => withClaimed(state, claim.mission, result.codes))
      } else {
        set({ busy: null })
        if (refusedInForm === undefined) showRefusal(result.message)
        else showInForm(result.message || refusedInForm)
      }
    } catch {
      if (signal.aborted) return
      set({ busy: null })
      host.notify.error(failed)
      askForLost(claim.mission, failed)
    }
  }

  const takeAfterDelay = (mission: string) => {
    set({ busy: mission, problem: null })
    unsent = setTimeout(() => {
      unsent = undefined
      void take({ mission }, { failed: texts.claimFailed })
    }, CLAIM_DELAY_MS)
  }

  /** Reloads the list, because the server may have granted a claim whose answer got lost. */
  const askForLost = (lost: string, text: string) => {
    set({ lost, problem: isForm(state().dialog) ? text : null })
    // Offline, the `online` event loads the list; asking now would only fail again.
    if (navigator.onLine) load()
    else set({ failed: true, loading: false })
  }

  const showRefusal = (message?: string) =>
    set({ dialog: { kind: 'refused', text: message || texts.missionNotFound }, problem: null })

  /** Keeps the form open with what was typed. */
  const showInForm = (text: string) => {
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
    set(initialState)
    load()
  }

  return {
    state,
    subscribe,
    connect() {
      const connection = new AbortController()
      const { signal } = connection
      token = host.session.current()?.token
      // In a microtask, because StrictMode connects, disconnects and connects again.
      queueMicrotask(() => {
        if (!signal.aborted) load()
      })
      addEventListener('pageshow', onPageShow, { signal })
      for (const type of ['online', EVENTS.networkFound])
        addEventListener(type, onOnline, { signal })
      const unsubscribe = host.session.subscribe(onSession)
      return () => {
        connection.abort()
        unsubscribe()
        leave()
      }
    },
    reload: () => void load(),
    reloadResults: () => void results.load(visit.signal),
    /** A stage changes the list. A draw changes only the results. */
    afterMoment: ({ kind }: Moment) =>
      void (kind.startsWith('draw') ? results.load(visit.signal) : load({ withResults: false })),
    /** Shows the next list at its time, without a call. */
    turn() {
      const { missions, next } = state()
      if (missions && next) show(Object.assign([...missions], { next }))
    },
    /** Shows stored codes, opens a form or claims, by the mission's state (specification, section 4). */
    press(mission: Mission) {
      if (mission.claimed === 1)
        set({
          dialog: { kind: 'codes', mission: mission.id, codes: mission.codes, fresh: false },
          lost: null,
        })
      else if (mission.claimed === 0) return
      else if (state().busy !== null) host.notify.info(texts.oneAtATime)
      else if (mission.claimed === 3) set({ dialog: { kind: 'streak', mission }, problem: null })
      else if (mission.id === SHARE_MISSION)
        set({ dialog: { kind: 'share', mission }, problem: null })
      else takeAfterDelay(mission.id)
    },
    submitShare(links: readonly string[]) {
      const shareLinks = links.map((link) => link.trim())
      // The dialog checks this too (specification, section 5).
      if (shareLinks.includes('')) {
        host.notify.error(texts.shareIncomplete)
        set({ problem: texts.shareIncomplete })
        return
      }
      const { dialog } = state()
      if (!isForm(dialog)) return
      const said = { failed: texts.shareFailed, refusedInForm: texts.missionNotFound }
      take({ mission: dialog.mission.id, shareLinks }, said)
    },
    submitStreak(streak: NonNullable<Claim['streak']>) {
      const { dialog } = state()
      if (!isForm(dialog)) return
      const said = { failed: texts.streakFailed, refusedInForm: texts.streakRefused }
      take({ mission: dialog.mission.id, streak }, said)
    },
    closeDialog() {
      const { dialog } = state()
      if (dialog === null) return
      set({ dialog: null, problem: null })
      if (dialog.kind === 'refused') host.reload()
      if (dialog.kind === 'codes' && dialog.fresh) load()
      else results.celebrate()
    },
    logOut() {
      dropDraft(host.session.current()?.username ?? '')
      forgetMember()
      host.session.clear()
      host.navigate(paths.login)
    },
  }
}
