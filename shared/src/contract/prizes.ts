import prizes from '../../campaign/prizes.json' with { type: 'json' }

/** The best one first. */
export const PRIZES = prizes
