/** The server's event time plus the time since it arrived; before the first answer the browser's clock. */
export function createEventClock() {
  let ahead = 0
  return {
    now: () => new Date(Date.now() + ahead),
    sync(server: Date) {
      ahead = server.getTime() - Date.now()
    },
  }
}
