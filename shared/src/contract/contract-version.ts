/**
 * Whether a host of contract `offered` can run a remote built for `needed`:
 * same major, a minor that it has.
 */
export function isCompatible(offered: string, needed: string): boolean {
  const [offeredMajor, offeredMinor = 0] = offered.split('.').map(Number)
  const [neededMajor, neededMinor = 0] = needed.split('.').map(Number)
  return offeredMajor === neededMajor && neededMinor <= offeredMinor
}
