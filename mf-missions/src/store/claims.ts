import { CLAIM_DELAY_MS } from '@anniversary/shared/contract/event'
import type { Claim, Host } from '@anniversary/shared/contract/host'
import type { StoreApi } from 'zustand/vanilla'
import { missionTexts as texts } from '../texts.ts'
import { type HomeState, isFormDialog, withClaimed } from './home-state.ts'
import type { createMissionList } from './mission-list.ts'
import { dropShareDraft } from './share-links.ts'

type Store = Pick<StoreApi<HomeState>, 'getState' | 'setState'>

interface ClaimTexts {
  /** When the call fails. */
  readonly failed: string
  /**
   * When the server refuses without a message. Set: the form stays open, with
   * what was typed.
   */
  readonly refusedInForm?: string
}

/** Sends one claim at a time. */
export function createClaims(
  host: Host,
  { getState: state, setState: set }: Store,
  list: ReturnType<typeof createMissionList>,
) {
  /** Aborted when the member leaves or changes: later answers are dropped. */
  let visit = new AbortController()
  let unsent: ReturnType<typeof setTimeout> | undefined

  const showRefusal = (message: string | undefined, { refusedInForm }: ClaimTexts) => {
    if (refusedInForm === undefined) {
      const text = message || texts.missionNotFound
      set({ dialog: { kind: 'refused', text }, problem: null })
      return
    }
    const text = message || refusedInForm
    host.notify.error(text)
    if (isFormDialog(state().dialog)) set({ problem: text })
  }

  const take = async (claim: Claim, said: ClaimTexts): Promise<void> => {
    const { signal } = visit
    const { username = '' } = host.session.current() ?? {}
    set({ busy: claim.mission, problem: null })
    try {
      const result = await host.api.takeCode(claim)
      if (result.ok && claim.shareLinks) dropShareDraft(username)
      if (signal.aborted) return
      if (result.ok) {
        list.abort()
        set((state) => withClaimed(state, claim.mission, result.codes))
        return
      }
      set({ busy: null })
      showRefusal(result.message, said)
    } catch {
      if (signal.aborted) return
      set({ busy: null })
      host.notify.error(said.failed)
      list.askForLost(claim.mission, said.failed)
    }
  }

  const cancelUnsent = () => {
    if (unsent === undefined) return
    clearTimeout(unsent)
    unsent = undefined
    set({ busy: null })
  }

  const takeFromForm = (part: Omit<Claim, 'mission'>, said: Required<ClaimTexts>) => {
    const { dialog } = state()
    if (isFormDialog(dialog)) void take({ mission: dialog.mission.id, ...part }, said)
  }

  return {
    signal: () => visit.signal,
    cancelUnsent,
    leave(): void {
      cancelUnsent()
      visit.abort()
      list.abort()
      visit = new AbortController()
      set({ busy: null })
    },
    takeAfterDelay(mission: string): void {
      set({ busy: mission, problem: null })
      unsent = setTimeout(() => {
        unsent = undefined
        void take({ mission }, { failed: texts.claimFailed })
      }, CLAIM_DELAY_MS)
    },
    submitShare(links: readonly string[]): void {
      const shareLinks = links.map((link) => link.trim())
      // The dialog checks this too (specification, section 5).
      if (shareLinks.includes('')) {
        host.notify.error(texts.shareIncomplete)
        set({ problem: texts.shareIncomplete })
        return
      }
      const said = { failed: texts.shareFailed, refusedInForm: texts.missionNotFound }
      takeFromForm({ shareLinks }, said)
    },
    submitStreak(streak: NonNullable<Claim['streak']>): void {
      const said = { failed: texts.streakFailed, refusedInForm: texts.streakRefused }
      takeFromForm({ streak }, said)
    },
  }
}
