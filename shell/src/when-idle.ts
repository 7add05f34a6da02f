/**
 * Runs a function when the browser has nothing else to do. Safari has no idle
 * callbacks.
 */
export const whenIdle = (run: () => void): void =>
  void (globalThis.requestIdleCallback ?? setTimeout)(run)
