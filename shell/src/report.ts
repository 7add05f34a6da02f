import type { RemoteLoadError } from './federation/release-files.ts'
import type { Attempt } from './federation/remote-loader.ts'
import type { RemoteRoute } from './routing/route-table.ts'

/** What went wrong with which remote, for its team: to the console, and to the configured address. */
interface Report {
  readonly remote: string
  readonly expose: string
  readonly version: string
  readonly phase: RemoteLoadError['phase'] | 'render'
  readonly duration?: number
  readonly message: string
}

let send: (report: Report) => void = () => undefined

/** @param url receives each report as JSON by `sendBeacon`; unset: the console alone */
export function configureReports(url: string | undefined, composition: number): void {
  send = (report) => {
    if (url) navigator.sendBeacon(url, JSON.stringify({ ...report, composition }))
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function report(entry: Report, error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the specification logs crashes to the console (section 8)
  console.error(`[${entry.remote} ${entry.version}] ${entry.phase}: ${entry.message}`, error)
  send(entry)
}

export function reportAttempt({ error, ...attempt }: Attempt): void {
  // Only a RemoteLoadError knows its phase; anything else broke while the expose was loading.
  const phase = error instanceof Error && 'phase' in error ? (error as RemoteLoadError).phase : 'expose'
  report({ ...attempt, phase, message: messageOf(error) }, error)
}

export function reportCrash(route: RemoteRoute, version: string, error: unknown): void {
  report({ ...route, version, phase: 'render', message: messageOf(error) }, error)
}
