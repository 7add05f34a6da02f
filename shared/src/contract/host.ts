import type { PublicConfig } from './config.ts'

/**
 * Version of the host port, the one prop of a remote's page and all that it gets from the shell. Major breaks, minor
 * adds; `deploy` refuses a remote whose version the deployed shell does not offer. To change: docs/use/contract.md.
 */
export const HOST_CONTRACT = '1.0'

/** An absolute path inside the app, never a URL of another origin; `paths.ts` has those of the specification. */
export type AppPath = `/${string}`

export interface PageProps {
  readonly host: Host
}

export interface Host {
  /** `major.minor` of the contract that this host offers. */
  readonly contract: string
  readonly config: PublicConfig
  readonly api: ClientApi
  readonly session: SessionPort
  readonly notify: Notify
  readonly rules: { open(): void }
  /** The event's clock, not the browser's, which may be wrong. (And the demo's event lies in the past.) */
  readonly clock: {
    now(): Date
    /** False until the server has told its time: `now` is then the browser's. */
    isSet?(): boolean
    /** Milliseconds over which pages spread the calls that a moment makes, as the server names them. */
    spread?(): number
  }
  /**
   * Goes to a route of the app; `reload` by a new document. A control with the route in `data-path` (or in `href`)
   * has its page's files fetched as soon as it is hovered, focused or touched.
   */
  navigate(path: AppPath, options?: { replace?: boolean; reload?: boolean }): void
  reload(): void
}

export interface Session {
  readonly token: string
  readonly username: string
}

export interface SessionPort {
  current(): Session | null
  /**
   * @param login of the login's answer; `sign` is the session's token under its wire name
   * @throws `StorageBlockedError` when the browser refuses cookies
   */
  start(login: { sign: string; username: string }): void
  clear(): void
  /** Calls the listener after each change, also by another tab. Returns a function that ends it. */
  subscribe(listener: () => void): () => void
}

export interface NotifyOptions {
  /** Milliseconds until the toast closes; default 3000 (specification, section 9). */
  duration?: number
  /** Shows it once after the next page load instead of now: for texts that a reload follows. */
  afterReload?: boolean
  /** Shows it without saying it aloud: the field beside the same text gets the focus, and says it. */
  silent?: boolean
}

export interface Notify {
  success(text: string, options?: NotifyOptions): void
  info(text: string, options?: NotifyOptions): void
  warning(text: string, options?: NotifyOptions): void
  error(text: string, options?: NotifyOptions): void
}

/**
 * Why a call failed. The client has already shown the interceptor's toast (specification, section 8); a page adds only
 * its own message. `refused`: an HTTP error status. `unreachable`: no answer. A member's call that finds no session
 * (`no-token`, `unauthorized`) does not end: the host says so and goes to /login after 0.5 s.
 */
export type ApiFailure = 'no-token' | 'unauthorized' | 'refused' | 'unreachable'

export interface ApiError extends Error {
  readonly name: 'ApiError'
  readonly failure: ApiFailure
  readonly status?: number
}

/** True for a failed call of `ClientApi`. By name, because `instanceof` fails across bundles. */
export const isApiError = (error: unknown): error is ApiError =>
  error instanceof Error && error.name === 'ApiError'

export type ClaimedState = 0 | 1 | 2 | 3

/** How far a member is towards a mission; days of a streak are consecutive. */
export interface Progress {
  /** One of `COUNTED_KINDS`, or one that came later: then the unit is unknown. */
  readonly kind: string
  readonly value: number
  readonly goal: number
}

export interface Mission {
  /** `event_code_detail` on the wire. */
  readonly id: string
  readonly name: string
  /** 0 not reached, 1 claimed, 2 claimable, 3 needs check; 0 also for what the client does not know. */
  readonly claimed: ClaimedState
  /** Codes of a claimed mission: trimmed, none of them empty. */
  readonly codes: readonly string[]
  /** Tickets that a claim gives; 1 where the server does not say. */
  readonly tickets: number
  /** Where the server says so, and only while it is neither reached nor claimed. */
  readonly progress?: Progress
}

/** `next`: the list as it will be from `at` on, where that is soon. */
export interface MissionList extends ReadonlyArray<Mission> {
  readonly next?: { readonly at: Date; readonly missions: readonly Mission[] }
}

export interface Claim {
  readonly mission: string
  readonly shareLinks?: readonly string[]
  /** The streak mission's range, both `YYYY-MM-DD`, inclusive. */
  readonly streak?: { readonly start: string; readonly end: string }
}

/** `ok: false` is a business refusal (HTTP 200, status_code ≠ 200) with the server's message, if it sent one. */
export type ClaimResult = { ok: true; codes: readonly string[] } | { ok: false; message?: string }

export interface Login {
  readonly username: string
  /** Four digits as text: leading zeros count. */
  readonly lastBankNumber: string
}

/** `sign` is the session's token under its wire name. `ok: false`: the answer had none. */
export type LoginResult =
  | { ok: true; sign: string; username: string; needsAddress: boolean }
  | { ok: false }

export interface Address {
  readonly fullname: string
  readonly phoneNumber: string
  readonly address: string
  readonly note: string
}

export interface TicketEntry {
  readonly mission: string
  /** Mission name, or its identifier where the server sends no name. */
  readonly name: string
  readonly codes: readonly string[]
  /** Those of them that were made void, where the server says so: they take part in no draw. */
  readonly voided?: readonly string[]
  /** As the server sent it; format with `formatEventTime`. */
  readonly claimedAt: string
  /** What its codes have won so far, where the server says so. */
  readonly prizes: readonly Win[]
  /** The numbers of its codes in the frozen lists of the draws, where the server says so. */
  readonly lists?: readonly ListPlace[]
}

export interface Win {
  readonly code: string
  readonly draw: number
  readonly prize: string
  /** True for a gift code, which the member gets by `tradeGiftcode`; customer support hands over other prizes. */
  readonly isGiftcode?: boolean
  /** When it was handed over or exchanged, else until when it can be claimed; where the server says so. */
  readonly delivery?: { readonly deliveredAt: string | null; readonly until: string } | undefined
}

export interface ListPlace {
  readonly code: string
  readonly draw: number
  readonly position: number
}

export interface FrozenList {
  readonly draw: number
  /** How many codes take part. */
  readonly count: number
  /** Of the list's file, hexadecimal. */
  readonly sha256: string
  readonly frozenAt: string
}

/** What the draws have given, and their frozen lists where the server says so. */
export interface DrawResults extends ReadonlyArray<DrawResult> {
  readonly frozen?: readonly FrozenList[]
}

export interface DrawResult {
  readonly draw: number
  readonly prize: string
  readonly codes: readonly string[]
  /** Masked account names, in the order of `codes`, where the server sends them. */
  readonly owners?: readonly string[] | undefined
  /** A number that changes with the draw's results, with gift codes, where the server says so, for pages that compare. */
  readonly total?: number | undefined
}

export interface GiftcodeEntry {
  readonly giftcode: string
  readonly tradedAt: string
}

export type HistoryResult =
  | {
      ok: true
      tickets: readonly TicketEntry[]
      giftcodes: readonly GiftcodeEntry[]
      /** The last draw that has ended, has results, and had a ticket of the member; 0: none. */
      lastDraw: number
    }
  | { ok: false; message?: string }

export type CheckResult =
  | { by: 'username'; stages: readonly { stage: number; tickets: number }[] }
  | { by: 'code'; valid: false }
  | {
      by: 'code'
      valid: true
      stage: number
      mission: string
      claimedAt: string
      lists: readonly Omit<ListPlace, 'code'>[]
    }
  | { by: 'unsupported' }

/**
 * The calls of the specification's section 7. All reject with `ApiError` when the transport fails, after the
 * interceptor's toast (section 8). A call that an overloaded server puts off (503 with `Retry-After`) is sent again, for
 * as long as the server says so, up to 30 minutes. No other is, and none has a time limit.
 */
export interface ClientApi {
  login(login: Login): Promise<LoginResult>
  /**
   * @param token of the login's answer, since there is no session yet
   * @returns true when the server saved the address
   */
  updateInfo(address: Address, token: string): Promise<boolean>
  missions(): Promise<MissionList>
  takeCode(claim: Claim): Promise<ClaimResult>
  history(): Promise<HistoryResult>
  /** What the draws have given so far, for everybody. Empty where it cannot be had: it fails in silence. */
  draws(): Promise<DrawResults>
  check(query: { by: 'username' | 'code'; value: string }): Promise<CheckResult>
  /** Exchanges the member's winning tickets for gift codes. @returns the new gift codes */
  tradeGiftcode(): Promise<readonly GiftcodeEntry[]>
}
