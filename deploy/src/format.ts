export const percent = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`

/** `1.0.0-0123456789ab` with the first half of its hash, which tells versions apart. */
export const shortVersion = (version: string): string => version.replace(/(-[0-9a-f]{6})[0-9a-f]{6}$/, '$1')

/** @param iso a time, ISO 8601 */
export function ago(iso: string, now: Date): string {
  const minutes = Math.round((now.getTime() - Date.parse(iso)) / 60_000)
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes} min ago`
  if (minutes < 48 * 60) return `${Math.round(minutes / 60)} h ago`
  return `${Math.round(minutes / 1440)} days ago`
}
