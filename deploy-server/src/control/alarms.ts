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

/** Also of what the site does not have, such as `page` for unknown causes. */
export function alarmsOf(state: ControlState): Alarm[] {
  const { live, alerts } = state
  const off = Object.keys(live.remotes).filter((name) => live.remotes[name]?.status === 'off')
  const firing = 'problem' in alerts ? [] : alerts.answer
  return [
    ...firing
      .filter(({ remote }) => !off.includes(remote))
      .map((alert) => ({
        name: alert.remote,
        text: alertText(alert),
        remedy: remedyOf(state, alert),
      })),
    ...off.map((name) => ({ name, text: 'switched off' })),
  ]
}

const alertText = ({ name, summary, version }: ReleaseAlert) =>
  `${name}${version && ` for ${shortenVersion(version)}`}: ${summary}`

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
