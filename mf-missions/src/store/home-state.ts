import type {
  ClaimedState,
  DrawResult,
  FrozenList,
  Mission,
  MissionList,
  TicketEntry,
  Win,
} from '@anniversary/shared/contract/host'

type HomeDialog =
  | {
      readonly kind: 'codes'
      readonly mission: string
      readonly codes: readonly string[]
      readonly fresh: boolean
    }
  | { readonly kind: 'won'; readonly wins: readonly Win[] }
  /** A refused claim: closing it loads the page anew. */
  | { readonly kind: 'refused'; readonly text: string }
  | FormDialogState

interface FormDialogState {
  readonly kind: 'share' | 'streak'
  readonly mission: Mission
}

export interface HomeState {
  readonly missions: readonly Mission[] | null
  /** Identifiers in the order of the cards, which a claim does not change. */
  readonly order: readonly string[]
  /**
   * Takes the place of `missions` at the stage's begin or end, where the server
   * sent it ahead.
   */
  readonly next: MissionList['next'] | null
  readonly loading: boolean
  /** The last load failed: `missions` may be out of date. */
  readonly failed: boolean
  /** The server's refusal of the list to this member, who may be banned. */
  readonly refusal: string | null
  readonly busy: string | null
  readonly dialog: HomeDialog | null
  readonly problem: string | null
  /**
   * Mission whose claim got no answer: the next list shows whether it was
   * granted.
   */
  readonly lost: string | null
  /** Stays once it is set, so that nothing moves. */
  readonly isDrawNext: boolean
  readonly results: readonly DrawResult[]
  readonly lists: readonly FrozenList[]
  /** Null until the history has answered; empty before the first draw. */
  readonly tickets: readonly TicketEntry[] | null
  /** As the history names it; 0 before the first draw. */
  readonly lastDraw: number
  /** A new win is added after its dialog, which announces it first. */
  readonly shownWins: readonly Win[]
  /**
   * Mission whose new ticket is still in its dialog or on its way to the card.
   */
  readonly landing: string | null
  readonly landed: string | null
}

export const initialState: HomeState = {
  missions: null,
  order: [],
  next: null,
  loading: true,
  failed: false,
  refusal: null,
  busy: null,
  dialog: null,
  problem: null,
  lost: null,
  isDrawNext: false,
  results: [],
  lists: [],
  tickets: null,
  lastDraw: 0,
  shownWins: [],
  landing: null,
  landed: null,
}

export const isFormDialog = (dialog: HomeDialog | null): dialog is FormDialogState =>
  dialog?.kind === 'share' || dialog?.kind === 'streak'

/** The order of the cards: claimable, to be checked, not reached, claimed. */
const PRIORITY: readonly ClaimedState[] = [2, 3, 0, 1]

/** Missions of the same state stay in the server's order. */
export const orderOfCards = (missions: readonly Mission[]): readonly string[] =>
  PRIORITY.flatMap((state) =>
    missions.filter(({ claimed }) => claimed === state).map(({ id }) => id),
  )

/** Keeps the order of cards that are on the page; new ones come last. */
function nextOrder({ missions, order }: HomeState, next: readonly Mission[]): readonly string[] {
  if (!missions) return orderOfCards(next)
  const found = orderOfCards(next)
  const kept = order.filter((id) => found.includes(id))
  return [...kept, ...found.filter((id) => !kept.includes(id))]
}

export function withMissions(
  state: HomeState,
  missions: readonly Mission[],
  next: HomeState['next'],
): HomeState {
  const { dialog } = state
  const pointless =
    isFormDialog(dialog) &&
    missions.some(({ id, claimed }) => id === dialog.mission.id && claimed === 1)
  return {
    ...state,
    missions,
    order: nextOrder(state, missions),
    next,
    loading: false,
    failed: false,
    refusal: null,
    ...(pointless && { dialog: null, problem: null }),
  }
}

/** Marks the claimed card as done ahead of the next list. */
export const withClaimed = (state: HomeState, id: string, codes: readonly string[]): HomeState => ({
  ...state,
  missions:
    state.missions?.map((mission) =>
      mission.id === id ? { ...mission, claimed: 1 satisfies ClaimedState, codes } : mission,
    ) ?? null,
  // It does not know of the claim.
  next: null,
  loading: false,
  busy: null,
  dialog: { kind: 'codes', mission: id, codes, fresh: true },
  problem: null,
  lost: null,
  landing: id,
})

export const winsOfTickets = (tickets: readonly TicketEntry[]): readonly Win[] =>
  tickets.flatMap(({ prizes }) => prizes)

/**
 * Whether the page has something to say about a draw: a win, none, or what to
 * do on its evening.
 */
export const hasDrawNews = (state: HomeState): boolean =>
  state.isDrawNext || state.shownWins.length > 0 || state.lastDraw > 0
