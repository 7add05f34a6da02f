import event from '../../campaign/event.json' with { type: 'json' }

/** The best one first. */
export const PRIZES = event.prizes
