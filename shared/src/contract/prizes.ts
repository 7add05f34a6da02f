import prizes from '../../campaign/prizes.json' with { type: 'json' }

export const PRIZES = prizes
