/* One chunk, at places of /home that are kept free. */

export { FoldedCards, ListLine } from './cards/ListLine.tsx'
export { StageTickets } from './StageTickets.tsx'
