import { lastDrawBegun, nextMoment } from '@anniversary/shared/contract/event-timeline'
import type { Host, Win } from '@anniversary/shared/contract/host'
import { LAST_ACCOUNT_KEY } from '@anniversary/shared/contract/page-names'
import { attemptStorage } from '@anniversary/shared/ui/tab-storage'
import { areDrawsLoaded } from '@anniversary/shared/ui/use-result-news'
import { type HomeState, winsOfTickets } from './home-state.ts'

const KEY = 'celebrated-wins'

/**
 * At the logout: the next member of a shared phone must not read what was won,
 * nor by whom.
 */
export function forgetMember(): void {
  for (const key of [KEY, LAST_ACCOUNT_KEY]) attemptStorage(() => localStorage.removeItem(key))
}

const textOf = ({ code, draw, prize }: Win) => `${code} ${draw} ${prize}`

/** Celebrates each win once in a browser. */
export function createResults(
  host: Host,
  state: () => HomeState,
  set: (part: Partial<HomeState>) => void,
) {
  const saved = attemptStorage(() => JSON.parse(localStorage.getItem(KEY) ?? '[]'))
  let celebrated: readonly string[] = Array.isArray(saved) ? saved.map(String) : []

  /**
   * Does nothing while a dialog is open or a claim runs; it is called again
   * afterwards.
   */
  const celebrate = () => {
    const { dialog, busy, tickets } = state()
    // Without tickets the history has not loaded, or there is nothing to win
    // with.
    if (dialog !== null || busy !== null || !tickets?.length) return
    const wins = winsOfTickets(tickets)
    const fresh = wins.filter((win) => !celebrated.includes(textOf(win)))
    // Forgets wins that were undone, and those of a member whose session
    // expired.
    celebrated = wins.map(textOf)
    if (wins.length > 0) attemptStorage(() => localStorage.setItem(KEY, JSON.stringify(celebrated)))
    else attemptStorage(() => localStorage.removeItem(KEY))
    set({ shownWins: wins.filter((win) => !fresh.includes(win)) })
    if (fresh.length > 0) set({ dialog: { kind: 'won', wins: fresh } })
  }

  let hasFailed = false

  /** Loads nothing while there is neither a frozen list nor a result. */
  const load = async (signal: AbortSignal): Promise<void> => {
    const now = host.clock.now()
    const hasResults = lastDrawBegun(now) > 0
    if (!hasResults) set({ tickets: [] })
    if (!hasResults && nextMoment(now)?.kind !== 'draw-start') return
    const draws = host.api.draws()
    if (hasResults) {
      // The page works without it.
      const history = await host.api.history().catch(() => undefined)
      if (signal.aborted) return
      hasFailed = !history?.ok
      if (history?.ok) set({ tickets: history.tickets, lastDraw: history.lastDraw })
      celebrate()
    }
    const results = await draws
    if (signal.aborted) return
    if (results.frozen) set({ lists: results.frozen })
    // Without the tickets, both are asked for again.
    if (areDrawsLoaded(results) && !hasFailed) set({ results })
  }

  return {
    load,
    celebrate,
    repeatFailed(signal: AbortSignal): void {
      if (!hasFailed) return
      // Its own answer tells of a found network, before it is read.
      hasFailed = false
      void load(signal)
    },
  }
}
