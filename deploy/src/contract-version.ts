/**
 * Whether a host that offers contract `offered` can run a remote built for `needed` (both `major.minor`): the same
 * major, and no minor that the host does not know yet. A major breaks, a minor adds.
 */
export function compatible(offered: string, needed: string): boolean {
  const [offeredMajor = 0, offeredMinor = 0] = offered.split('.').map(Number)
  const [neededMajor = 0, neededMinor = 0] = needed.split('.').map(Number)
  return offeredMajor === neededMajor && neededMinor <= offeredMinor
}
