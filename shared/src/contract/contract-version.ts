/**
 * Whether a host that offers contract `offered` can run a remote built for `needed` (both `major.minor`): same major,
 * and a minor that the host already has.
 */
export function compatible(offered: string, needed: string): boolean {
  const [offeredMajor, offeredMinor] = offered.split('.').map(Number)
  const [neededMajor, neededMinor = 0] = needed.split('.').map(Number)
  return offeredMajor === neededMajor && neededMinor <= (offeredMinor ?? 0)
}
