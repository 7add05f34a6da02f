/** Runs work on the browser's storage. Returns undefined where storage is blocked, full or damaged. */
export function attempt(work: () => unknown): unknown {
  try {
    return work()
  } catch {
    return undefined
  }
}
