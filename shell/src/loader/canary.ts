import type { ComposedRemote } from '@anniversary/shared/contract/composition'

const KEY = 'canary-share'

type Remotes = Readonly<Record<string, ComposedRemote>>

/**
 * Gives a canary to its share of visitors: for them its release is the current one and the release of all others is the
 * previous one. Each remote, or set of them, has an offset of its own, so that different visitors get different canaries.
 * @param share this visitor's place in [0, 100), the same with every visit
 */
export function withCanaries(remotes: Remotes, share: number): Remotes {
  return Object.fromEntries(
    Object.entries(remotes).map(([name, remote]) => {
      const { canary, current } = remote
      const chosen = canary && (share + offsetOf(canary.set ?? name)) % 100 < canary.percent
      return [name, chosen ? { ...remote, current: canary.release, previous: current } : remote]
    }),
  )
}

const offsetOf = (name: string): number =>
  [...name].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % 9973, 7) / 99.73

/**
 * This visitor's share, drawn at random and kept. A site without canaries stores nothing. Where the browser refuses to
 * store, a visitor gets the releases that everybody gets.
 */
export function visitorShare(remotes: Remotes): number {
  if (!Object.values(remotes).some(({ canary }) => canary)) return 100
  try {
    const kept = Number.parseFloat(localStorage.getItem(KEY) ?? '')
    if (kept >= 0 && kept < 100) return kept
    const share = Math.random() * 100
    localStorage.setItem(KEY, String(share))
    return share
  } catch {
    return Number.NaN
  }
}
