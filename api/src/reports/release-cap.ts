import { RateLimiterMemory } from 'rate-limiter-flexible'

/** Releases and routes that are told apart in an hour. */
const MOST = 1000
/** Of which one address may be the first to name so many: a provider's members share one. */
const MOST_OF_ADDRESS = 50
const HOUR_MS = 3_600_000

/**
 * Anybody may send reports with invented names. Names beyond the limits count as one release, so that they fill neither
 * memory nor tables, and one address cannot use up the limit for all.
 */
export function releaseCap() {
  const newcomers = new RateLimiterMemory({ points: MOST_OF_ADDRESS, duration: HOUR_MS / 1000 })
  const known = new Set<string>()
  let since = Date.now()
  return async (peer: string, remote: string, version: string, route = '/') => {
    if (Date.now() - since > HOUR_MS) {
      known.clear()
      since = Date.now()
    }
    const name = `${remote} ${version} ${route}`
    if (!known.has(name)) {
      const isOver = known.size >= MOST || !(await newcomers.consume(peer).then(Boolean, () => false))
      if (isOver) return { remote: 'other', version: '', route: '/' }
      known.add(name)
    }
    return { remote, version, route }
  }
}
