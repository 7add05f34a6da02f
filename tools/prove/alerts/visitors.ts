import type { Fact } from '@anniversary/shared/contract/report'

let addresses = 0
/** Returns an address that has sent nothing yet. */
export function newAddress(): string {
  addresses += 1
  return `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`
}

export async function sendReport(
  origin: string,
  report: object,
  address = newAddress(),
): Promise<void> {
  await fetch(`${origin}/api/reports`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ 'composition.number': 1, ...report }),
  })
}

/**
 * Sends a view of mf-auth.
 * @param address by default one that has sent nothing yet
 */
export function sendView(
  origin: string,
  version: string,
  facts: readonly Fact[] = [],
  address?: string,
): Promise<void> {
  const had = Object.fromEntries(facts.map((fact) => [fact, true]))
  const view = { remote: 'mf-auth', version, ...had }
  return sendReport(origin, { 'event.name': 'page.visit', views: [view] }, address)
}

/** Shares of views that have a fact. */
export type Shares = Partial<Record<Fact, number>>

/**
 * Sends twelve views a second of the current release and six of a canary, until
 * `stop`.
 */
export function startVisitors(
  origins: readonly string[],
  versions: { readonly current: string; readonly canary: string },
  canaryShares: Shares,
) {
  const currentShares: Shares = { threw: 0.01, failed: 0.002, paintedLate: 0.11 }
  let sent = 0
  const visit = (version: string, shares: Shares) => {
    const names = Object.keys(shares) as Fact[] // its keys
    const facts = names.filter((fact) => Math.random() < (shares[fact] ?? 0))
    sent += 1
    // A page does not wait for the answer to its beacon.
    sendView(origins[sent % origins.length] ?? '', version, facts).catch(() => undefined)
  }
  const timer = setInterval(() => {
    for (let n = 0; n < 12; n++) visit(versions.current, currentShares)
    for (let n = 0; n < 6; n++) visit(versions.canary, canaryShares)
  }, 1000)

  return function stop(): void {
    clearInterval(timer)
  }
}
