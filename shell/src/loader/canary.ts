import type { ComposedRemote } from '@anniversary/shared/contract/composition'

const KEY = 'canary-share'

type Remotes = Readonly<Record<string, ComposedRemote>>

/**
 * Gives each canary to visitors of its own; the release of all others is then
 * their previous one.
 * @param share this visitor's place in [0, 100), the same in every visit
 */
export function withCanaries(remotes: Remotes, share: number): Remotes {
  return Object.fromEntries(
    Object.entries(remotes).map(([name, remote]) => {
      const { canary, current } = remote
      const isChosen = canary && (share + offsetOf(name)) % 100 < canary.percent
      if (!isChosen) return [name, remote]
      return [name, { ...remote, current: canary.release, previous: current }]
    }),
  )
}

const offsetOf = (name: string): number =>
  [...name].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % 9973, 7) / 99.73

/**
 * Returns this visitor's share, drawn at random and stored; NaN, which gets no
 * canary, if the browser stores nothing.
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
