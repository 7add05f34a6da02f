const GIVE_UP_MS = 40_000

/**
 * Calls `close` on Ctrl-C, on SIGTERM, and when the npm that started this process is gone; then ends the process. Later
 * signals change nothing: Ctrl-C reaches this process twice, by its process group and by npm.
 */
export function onStop(close: () => Promise<unknown>): void {
  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(1), GIVE_UP_MS).unref()
    close().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)

  // A killed npm passes no signal on.
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    stop()
  }, 300)
  watch.unref()
}
