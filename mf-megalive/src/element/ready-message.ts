/** The protocol's only message: the embedded page posts it to its parent once it can be used. */
const READY = 'mega-live:ready'

/** True for `{type: 'mega-live:ready'}`, for that text alone, and for the short form 'ready' of either. */
export function isReadyMessage(data: unknown): boolean {
  const type = typeof data === 'object' && data && 'type' in data ? data.type : data
  return type === READY || type === 'ready'
}
