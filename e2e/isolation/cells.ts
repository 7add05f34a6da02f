import { FAULT_NAMES, type FaultName, type FileKind, isSlow } from './faults.ts'
import { SUBJECTS, type Subject } from './remotes.ts'

/**
 * - `boot`: the member opens the page, its files fail until they are mended; a press on the card's button recovers
 * - `foreign`: the same, and the remote's files are on a server of another origin
 * - `visit`: the member comes from another page of the app, goes back to it, and comes again when all is mended
 * - `first`: only the first requests fail; the member sees nothing of it
 * - `previous`: the release fails for good, and the one before it stands in; the member sees nothing of it
 */
export type Variant = 'boot' | 'foreign' | 'visit' | 'first' | 'previous'

export interface FileCell {
  readonly subject: Subject
  readonly kind: FileKind
  readonly fault: FaultName
  readonly variant: Variant
}

const KINDS: readonly FileKind[] = ['entry', 'script', 'style']
const VARIANTS: readonly Variant[] = ['boot', 'foreign', 'visit', 'first', 'previous']

export const FILE_CELLS: readonly FileCell[] = KINDS.flatMap((kind) =>
  FAULT_NAMES.flatMap((fault) =>
    SUBJECTS.flatMap((subject) => VARIANTS.map((variant) => ({ subject, kind, fault, variant }))),
  ),
)

/** The whole matrix is a matter of minutes; with every `npm test` runs a part in which each row and column occurs. */
export const WHOLE = process.env.ISOLATION === 'whole'

/** One cell of each row, its remote and its variant changing from row to row; of what is slow only one. */
export const REDUCED: readonly FileCell[] = KINDS.flatMap((kind, k) =>
  FAULT_NAMES.flatMap((fault, f) => {
    if (isSlow(fault) && !(kind === 'entry' && fault === 'hangs')) return []
    const subject = SUBJECTS[(f + k) % SUBJECTS.length]
    const variant = isSlow(fault) ? 'first' : VARIANTS[(f + 2 * k) % VARIANTS.length]
    return FILE_CELLS.filter(
      (cell) =>
        cell.subject === subject && cell.kind === kind && cell.fault === fault && cell.variant === variant,
    )
  }),
)
