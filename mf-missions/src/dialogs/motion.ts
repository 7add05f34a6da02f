/** False also in jsdom, which has no media. */
export const prefersMotion = (): boolean =>
  'matchMedia' in window && matchMedia('(prefers-reduced-motion: no-preference)').matches

export function vibratePhone(pattern: readonly number[]): void {
  // Safari has no vibration. Before the first press, Chromium reports an error
  // instead.
  const mayVibrate = 'vibrate' in navigator && 'userActivation' in navigator
  if (!mayVibrate || !navigator.userActivation.hasBeenActive) return
  if (prefersMotion()) navigator.vibrate([...pattern])
}
