export const whenIdle = (run: () => void): void =>
  void (globalThis.requestIdleCallback ?? setTimeout)(run)
