/**
 * They bubble and cross shadow roots, so one listener on the document hears
 * every embed.
 */
export interface MegaLiveEvents {
  'mega-live-ready': CustomEvent<{
    /**
     * What came first: the page's ready message, or the frame's load event,
     * which proves little.
     */
    by: 'message' | 'load'
    /** After the time-out: the fallback was showing. */
    late: boolean
    ms: number
  }>
  'mega-live-timeout': CustomEvent<{ ms: number }>
  /**
   * `src`: the address may not be embedded. `policy`: the embedding page's
   * policy forbids the frame.
   */
  'mega-live-refused': CustomEvent<{ reason: 'src' | 'policy' }>
  /**
   * The back link was pressed. `preventDefault()` keeps the page and leaves the
   * way back to you.
   */
  'mega-live-back': CustomEvent<{ href: string }>
}

declare global {
  interface GlobalEventHandlersEventMap extends MegaLiveEvents {}
}
