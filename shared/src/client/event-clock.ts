/**
 * The event's clock: the server's event time plus the time since it arrived. A member's own clock may be wrong, and a
 * demo's event lies in the past. Before the first answer it is the browser's clock.
 */
export function createEventClock() {
  let ahead = 0
  return {
    now: () => new Date(Date.now() + ahead),
    /** @param server the event time of an answer that has just arrived */
    sync(server: Date) {
      ahead = server.getTime() - Date.now()
    },
  }
}
