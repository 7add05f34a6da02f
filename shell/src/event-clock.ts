/**
 * The event's clock: the server's event time plus what has passed here since. A member's own clock may be wrong, and a
 * demo's event lies in the past. Until the first answer it is the browser's.
 */
export function createEventClock(here: () => number = () => Date.now()) {
  let ahead = 0
  return {
    now: () => new Date(here() + ahead),
    /** @param server the event time of an answer that has just arrived */
    sync(server: Date) {
      ahead = server.getTime() - here()
    },
  }
}
