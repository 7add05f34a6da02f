import { FAULT_NAMES, type FaultName, type FileKind, isSlow } from '../src/faults.ts'
import { SUBJECTS, type Subject } from './remotes.ts'

/** Options of a test: with `npm test` when daily, else with the nightly run. */
export const nightlyUnless = (daily: boolean) => (daily ? {} : { tag: '@nightly' })

/**
 * - `boot`: the member opens the page, its files fail until they are mended; a press on the card's button recovers
 * - `foreign`: the same, and the remote's files are on a server of another origin
 * - `visit`: the member comes from another page of the app, goes back to it, and comes again when all is mended
 * - `first`: only the first requests fail; the member sees nothing of it
 * - `previous`: the release fails for good, and the one before it replaces it; the member sees nothing of it
 */
export type Variant = 'boot' | 'foreign' | 'visit' | 'first' | 'previous'

export interface FileCell {
  readonly subject: Subject
  readonly kind: FileKind
  readonly fault: FaultName
  readonly variant: Variant
  /** Runs with `npm test`: one cell for each fault, rotating over files, remotes and variants. */
  readonly daily: boolean
}

const KINDS: readonly FileKind[] = ['entry', 'script', 'style']
const VARIANTS: readonly Variant[] = ['boot', 'foreign', 'visit', 'first', 'previous']

export const FILE_CELLS: readonly FileCell[] = KINDS.flatMap((kind, k) =>
  FAULT_NAMES.flatMap((fault, f) =>
    SUBJECTS.flatMap((subject, s) =>
      VARIANTS.map((variant, v) => {
        const turn = k === f % KINDS.length && s === f % SUBJECTS.length
        // Of the slow faults one cell, which waits for the second attempt only.
        const daily = isSlow(fault)
          ? fault === 'hangs' && kind === 'entry' && s === 0 && variant === 'first'
          : turn && v === f % VARIANTS.length
        return { subject, kind, fault, variant, daily }
      }),
    ),
  ),
)
