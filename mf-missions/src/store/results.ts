import { lastDrawBegun } from '@anniversary/shared/contract/event-timeline'
import type { Host, TicketEntry, Win } from '@anniversary/shared/contract/host'
import { type HomeState, winsOf } from './home-state.ts'
import { attempt } from './share-links.ts'

/** Has codes and prizes, which are public after a draw, and no account name. */
const KEY = 'celebrated-wins'
const textOf = ({ code, draw, prize }: Win) => `${code} ${draw} ${prize}`

/** The wins that this browser has celebrated, so that it celebrates each one once. */
function celebratedWins() {
  const saved = attempt(() => JSON.parse(localStorage.getItem(KEY) ?? '[]'))
  let celebrated: readonly string[] = Array.isArray(saved) ? saved.map(String) : []
  return {
    /** Returns the wins that are new, and counts them as celebrated. Forgets wins of these tickets that were taken back. */
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

/** What the draws have given, for everybody and for the member. Shows wins that are new in a dialog. */
export function createResults(host: Host, state: () => HomeState, set: (part: Partial<HomeState>) => void) {
  const celebrated = celebratedWins()

  /** Not while the member is doing something else: the next answer or closed dialog does it. */
  const celebrate = () => {
    const { dialog, busy, tickets } = state()
    if (dialog !== null || busy !== null) return
    const wins = celebrated.take(tickets)
    if (wins.length > 0) set({ dialog: { kind: 'won', wins } })
  }

  /** Asks nothing before the first draw. */
  const load = async (signal: AbortSignal) => {
    if (lastDrawBegun(host.clock.now()) === 0) return
    const [results, history] = await Promise.all([
      host.api.draws(),
      // The page does without it; the API client has shown a toast.
      host.api.history().catch(() => undefined),
    ])
    if (signal.aborted) return
    set({ ...(results.length > 0 && { results }), ...(history?.ok && { tickets: history.tickets }) })
    celebrate()
  }

  return { load, celebrate }
}
