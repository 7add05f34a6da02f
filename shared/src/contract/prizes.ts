import prizes from '../../campaign/prizes.json' with { type: 'json' }

interface Prize {
  readonly rank: string
  readonly name: string
  readonly count: string
  /** No draw gives more. A number for all draws together limits each of them. */
  readonly mostPerDraw: readonly number[]
  /** Members exchange it for a gift code. */
  readonly giftcode?: boolean
}

export const PRIZES: readonly Prize[] = prizes
