/** Events of <mega-live>. They bubble and cross shadow roots, so one listener on the document hears every embed. */
export interface MegaLiveEvents {
  /** The page is shown, once per start. */
  'mega-live-ready': CustomEvent<{
    /**
     * What came first. `message`: the page's ready message; `load`: the frame's load event, which proves little
     * (`element.proven` becomes true when the message follows).
     */
    by: 'message' | 'load'
    /** After the time-out: the fallback was showing. */
    late: boolean
    /** Milliseconds since the start. */
    ms: number
  }>
  /** Not loaded in time: the fallback shows. */
  'mega-live-timeout': CustomEvent<{ ms: number }>
  /**
   * `src`: the address is not one that may be embedded; nothing is loaded.
   * `policy`: the content security policy of the embedding page forbids the frame; the fallback shows.
   */
  'mega-live-refused': CustomEvent<{ reason: 'src' | 'policy' }>
  /** The back link was pressed. `preventDefault()` keeps the page and leaves the way back to you. */
  'mega-live-back': CustomEvent<{ href: string }>
  /** The page is opened in a new tab. */
  'mega-live-open': CustomEvent<{ href: string }>
}

declare global {
  // They bubble: an element around the embed, the document and the window hear them too.
  interface GlobalEventHandlersEventMap extends MegaLiveEvents {}
}
