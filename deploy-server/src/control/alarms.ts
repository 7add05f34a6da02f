import { versionInSite } from '@anniversary/deploy/site/compose'
import { shortenVersion } from '../health.ts'
import type { ReleaseAlert } from '../reports/page-views.ts'
import type { Action } from './actions.ts'
import { type ControlState, mayRollBack } from './state.ts'

export interface Alarm {
  readonly name: string
  readonly text: string
  readonly remedy?: Action['verb'] | undefined
}

export function alarmsOf(state: ControlState, name: string): Alarm[] {
  if (state.live.remotes[name]?.status === 'off') return [{ name, text: 'switched off' }]
  if ('problem' in state.alerts) return []

  return state.alerts.answer
    .filter((alert) => alert.remote === name)
    .map((alert) => ({ name, text: alertText(alert), remedy: remedyOf(state, alert) }))
}

const alertText = ({ name, summary, version }: ReleaseAlert) =>
  `${name} for ${shortenVersion(version)}: ${summary}`

/**
 * Returns undefined for a version that no page loads, and where there is
 * nothing to go back to.
 */
function remedyOf(
  state: ControlState,
  { remote, version }: ReleaseAlert,
): Action['verb'] | undefined {
  const { live } = state
  const canary = live.remotes[remote]?.canary
  if (canary?.release.version === version) return 'stop-canary'
  // A rollback ends a canary first.
  if (canary) return undefined
  if (version !== versionInSite(live, remote)) return undefined
  if (mayRollBack(state, remote)) return 'rollback'
  return undefined
}
