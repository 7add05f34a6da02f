/** Returns undefined where storage is blocked, full or damaged. */
export function attemptStorage<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** Other code may have written anything there. */
export const readFromTab = (key: string): unknown =>
  attemptStorage(() => JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? undefined)

export const saveInTab = (key: string, value: unknown): void =>
  void attemptStorage(() => sessionStorage.setItem(key, JSON.stringify(value)))

export const dropFromTab = (key: string): void =>
  void attemptStorage(() => sessionStorage.removeItem(key))
