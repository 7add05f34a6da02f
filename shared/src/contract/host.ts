import type { PublicConfig } from './config.ts'
import type { AppPath } from './paths.ts'

/**
 * The host port: all that a remote gets from the shell. A remote's page is a React component with one prop, `host`.
 * Major breaks, minor adds; `deploy` refuses a remote whose major or minor the deployed shell does not offer.
 */
export const HOST_CONTRACT = '1.0'

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
  /** The event's clock; browsers' clocks are wrong, and the demo's event lies in the past. */
  readonly clock: { now(): Date }
  /**
   * Moves to a route of the app. `reload` loads the document anew. A control that leads to a route may carry it as
   * `data-path`: its page's files are then fetched as soon as the control is hovered, focused or touched. (A link's
   * `href` serves as well.)
   */
  navigate(path: AppPath, options?: { replace?: boolean; reload?: boolean }): void
  /** Loads the current document anew. */
  reload(): void
}

export interface Session {
  readonly token: string
  readonly username: string
}

export interface SessionPort {
  current(): Session | null
  /**
   * Saves the session. Throws `StorageBlockedError` when the browser refuses cookies.
   * @param login the login answer's `sign` and `username`
   */
  start(login: { sign: string; username: string }): void
  /** Removes every saved value of the session. */
  clear(): void
  /** Called after each change, also by another tab. Returns the unsubscriber. */
  subscribe(listener: () => void): () => void
}

export interface NotifyOptions {
  /** Milliseconds until the toast closes; default 3000 (specification, section 9). */
  duration?: number
  /** Shown once on the next page load instead of now: for texts whose follow-up is a reload. */
  afterReload?: boolean
}

export interface Notify {
  success(text: string, options?: NotifyOptions): void
  info(text: string, options?: NotifyOptions): void
  warning(text: string, options?: NotifyOptions): void
  error(text: string, options?: NotifyOptions): void
}

/**
 * Why a call failed, for pages to choose their own words by. The transport has already shown what section 8 asks of
 * the interceptor; a page adds only its own message.
 *
 * - `no-token`: no session was saved; nothing was sent
 * - `unauthorized`: HTTP 401; the host removes the session and goes to /login after 0.5 s
 * - `refused`: any other HTTP error status
 * - `unreachable`: no answer
 */
export type ApiFailure = 'no-token' | 'unauthorized' | 'refused' | 'unreachable'

export interface ApiError extends Error {
  readonly name: 'ApiError'
  readonly failure: ApiFailure
  /** HTTP status, where there was one. */
  readonly status?: number
}

/** True for a failed call of `ClientApi`; works across bundles, unlike `instanceof`. */
export const isApiError = (error: unknown): error is ApiError =>
  error instanceof Error && error.name === 'ApiError'

export type ClaimedState = 0 | 1 | 2 | 3

/** A mission as screens see it. */
export interface Mission {
  /** `event_code_detail` on the wire. */
  readonly id: string
  readonly name: string
  /** 0 not reached, 1 claimed, 2 claimable, 3 needs check. Unknown values arrive as 0. */
  readonly claimed: ClaimedState
  /** Codes already given, trimmed, never empty strings. */
  readonly codes: readonly string[]
  /** Tickets that a claim gives; 1 where the server does not say. */
  readonly tickets: number
}

export interface Claim {
  readonly mission: string
  /** The share mission's four links. */
  readonly shareLinks?: readonly string[]
  /** The streak mission's range, both `YYYY-MM-DD`, inclusive. */
  readonly streak?: { readonly start: string; readonly end: string }
}

/** A business answer: `ok: false` is a refusal (HTTP 200, status_code ≠ 200) with the server's message, if it sent one. */
export type ClaimResult = { ok: true; codes: readonly string[] } | { ok: false; message?: string }

export interface Login {
  readonly username: string
  /** Four digits as text: leading zeros count. */
  readonly lastBankNumber: string
}

/** `rejected`: the answer had no `sign`. */
export type LoginResult = { ok: true; sign: string; username: string; needsAddress: boolean } | { ok: false }

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
  /** As the server sent it; format with `formatEventTime`. */
  readonly claimedAt: string
}

export interface GiftcodeEntry {
  readonly giftcode: string
  readonly tradedAt: string
}

export type HistoryResult =
  | { ok: true; tickets: readonly TicketEntry[]; giftcodes: readonly GiftcodeEntry[] }
  | { ok: false; message?: string }

export type CheckResult =
  | { by: 'username'; stages: readonly { stage: number; tickets: number }[] }
  | { by: 'code'; valid: false }
  | { by: 'code'; valid: true; stage: number; mission: string; claimedAt: string; owner: string }
  /** The API host has no such call. */
  | { by: 'unsupported' }

/**
 * Typed calls of the specification's section 7. All reject with `ApiError` on a transport failure, after the
 * interceptor's toast (section 8); nothing is retried and nothing times out.
 */
export interface ClientApi {
  login(login: Login): Promise<LoginResult>
  /**
   * @param sign the login answer's `sign`; the session does not exist yet
   * @returns true when the server saved the address
   */
  updateInfo(address: Address, sign: string): Promise<boolean>
  missions(): Promise<readonly Mission[]>
  takeCode(claim: Claim): Promise<ClaimResult>
  history(): Promise<HistoryResult>
  check(query: { by: 'username' | 'code'; value: string }): Promise<CheckResult>
  /** Exchanges the member's winning tickets for gift codes; the answer lists what was exchanged now. */
  tradeGiftcode(): Promise<readonly GiftcodeEntry[]>
}
