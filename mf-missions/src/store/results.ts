import { lastDrawBegun } from '@anniversary/shared/contract/event-timeline'
import type { Host, TicketEntry, Win } from '@anniversary/shared/contract/host'
import { type HomeState, winsOf } from './home-state.ts'
import { attempt } from './share-links.ts'

/** The value holds codes and prizes, which are public after a draw, and no account name. */
const KEY = 'celebrated-wins'
const textOf = ({ code, draw, prize }: Win) => `${code} ${draw} ${prize}`

/** Remembers which wins this browser has celebrated. */
function celebratedWins() {
  const saved = attempt(() => JSON.parse(localStorage.getItem(KEY) ?? '[]'))
  let celebrated: readonly string[] = Array.isArray(saved) ? saved.map(String) : []
  return {
    /** Returns new wins and marks them as celebrated. Forgets wins of these tickets that were undone. */
    take(tickets: readonly TicketEntry[]): readonly Win[] {
      const codes = tickets.flatMap((ticket) => ticket.codes)
      const ofOthers = celebrated.filter((text) => !codes.some((code) => text.startsWith(`${code} `)))
      const wins = winsOf(tickets)
      const fresh = wins.filter((win) => !celebrated.includes(textOf(win)))
      celebrated = [...ofOthers, ...wins.map(textOf)]
      attempt(() =>
        celebrated.length > 0
          ? localStorage.setItem(KEY, JSON.stringify(celebrated))
          : localStorage.removeItem(KEY),
      )
      return fresh
    },
  }
}

/** Loads the published results and the member's own wins, and opens a dialog for new wins. */
export function createResults(host: Host, state: () => HomeState, set: (part: Partial<HomeState>) => void) {
  const celebrated = celebratedWins()

  /** Does nothing while a dialog is open or a claim runs. It is called again afterwards. */
  const celebrate = () => {
    const { dialog, busy, tickets } = state()
    if (dialog !== null || busy !== null) return
    const wins = celebrated.take(tickets)
    if (wins.length > 0) set({ dialog: { kind: 'won', wins } })
  }

  /** Loads nothing before the first draw. */
  const load = async (signal: AbortSignal) => {
    if (lastDrawBegun(host.clock.now()) === 0) return
    const [results, history] = await Promise.all([
      host.api.draws(),
      // The page works without it, and the API client has shown a toast.
      host.api.history().catch(() => undefined),
    ])
    if (signal.aborted) return
    set({ ...(results.length > 0 && { results }), ...(history?.ok && { tickets: history.tickets }) })
    celebrate()
  }

  return { load, celebrate }
}
