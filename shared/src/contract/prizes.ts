import prizes from '../../campaign/prizes.json' with { type: 'json' }

interface Prize {
  readonly rank: string
  readonly name: string
  readonly count: string
  /** Members exchange it for a gift code. */
  readonly giftcode?: boolean
}

export const PRIZES: readonly Prize[] = prizes
