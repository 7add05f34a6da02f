import { CLAIM_DELAY_MS } from '@anniversary/shared/contract/event'
import type { Claims } from './claims-in-flight.ts'

/** A claim is sent a second after its tap; after this time one that was tapped before the reload is in flight. */
const WAIT_MS = CLAIM_DELAY_MS + 200

/**
 * Reloads the page unless a claim is in flight: its codes are about to show, and the member should see them.
 * @returns false, once the claim is answered, when the page was not reloaded
 */
export async function reloadWhenQuiet(claims: Claims, reload: () => void): Promise<boolean> {
  const before = claims.started()
  const runs = claims.running() > 0
  await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
  if (!runs && claims.started() === before) {
    reload()
    return true
  }
  await claims.settled()
  return false
}
