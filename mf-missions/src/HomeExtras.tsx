/* One chunk: what /home shows beside its first mission, at places that are kept free. */

export { FoldedCards, ListLine } from './cards/ListLine.tsx'
export { StageTickets } from './StageTickets.tsx'
