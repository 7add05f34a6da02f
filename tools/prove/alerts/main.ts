import { rmSync } from 'node:fs'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { check, proof, until } from '@anniversary/api/prove/report'
import { ROOT } from '../../packages.ts'
import { proveCanaries } from './canaries.ts'
import { FAULTS, LASTING } from './faults.ts'
import type { Monitoring } from './monitoring.ts'
import { startStack } from './stack.ts'

/*
 * npm run prove -- alerts: Debian's Prometheus, Alertmanager and exporters
 * watch real servers with the shipped files. Bad canaries are stopped by their
 * alerts, and each other alert is made to fire by a fault. Names as arguments
 * choose alerts.
 */

/**
 * From a fault to its alerts, whose windows are a minute here (monitoring.ts).
 */
const LIMIT_SECONDS = 240

const only = process.argv.slice(2)
const isLasting = (alert: string): boolean => LASTING.some((one) => one === alert)

async function proveAlerts(): Promise<string> {
  const causable = FAULTS.flatMap(([alerts]) => alerts)
  const unknown = only.filter((alert) => !causable.includes(alert))
  if (unknown.length > 0)
    throw new Error(
      `no fault causes ${unknown}: name some of ${causable.join(', ')}; canaries are proved without arguments`,
    )

  const folder = await mkdtemp(join(tmpdir(), 'anniversary-alerts-'))
  // Programs that end at 'exit', too, may still write.
  process.once('exit', () => rmSync(folder, { recursive: true, maxRetries: 5 }))
  const stack = await startStack(folder)
  const { monitoring } = stack
  for (const name of ['event-backup.prom', 'event-base.prom'])
    await writeFile(join(monitoring.textfiles, name), '')

  const fired = new Set<string>()
  if (only.length === 0)
    for (const [alert, seconds] of await proveCanaries(stack)) {
      console.log(`${alert}: stopped its canary after ${seconds} s`)
      fired.add(alert)
    }

  const chosen = FAULTS.filter(
    ([alerts]) => only.length === 0 || alerts.some((alert) => only.includes(alert)),
  )
  for (const [alerts, cause] of chosen) {
    await until(
      `quiet before ${alerts}`,
      async () => {
        const firing = await monitoring.readFiring()
        return alerts.every((alert) => isLasting(alert) || !firing.has(alert))
      },
      LIMIT_SECONDS,
    )
    const ending = new AbortController()
    const began = performance.now()
    const causing = cause(stack, ending.signal)
    for (const alert of alerts) {
      await until(alert, async () => (await monitoring.readFiring()).has(alert), LIMIT_SECONDS)
      console.log(`${alert}: ${Math.round((performance.now() - began) / 1000)} s`)
      fired.add(alert)
    }
    ending.abort()
    await causing
  }

  const rules = await monitoring.readAlertNames()
  const missing = (only.length > 0 ? only : rules).filter((name) => !fired.has(name))
  check(missing.length === 0, `every alert fires, also ${missing.join(', ')}`)
  if (only.length === 0) await checkDashboard(monitoring)
  await stack.stop()
  return `${fired.size} of ${rules.length} alerts fire${only.length > 0 ? '' : '; bad canaries are stopped, a good one with forged views is not'}`
}

await proof(import.meta.url, {}, proveAlerts, [])
process.exit()

/** Each expression of the dashboard has a series. */
async function checkDashboard(monitoring: Monitoring): Promise<void> {
  const file = join(ROOT, 'packaging/grafana-dashboard.json')
  const { panels }: Dashboard = JSON.parse(await readFile(file, 'utf8'))
  for (const { title, targets } of panels)
    for (const { expr } of targets)
      check((await monitoring.countSeries(expr)) > 0, `the panel "${title}" has data for ${expr}`)
}

interface Dashboard {
  readonly panels: readonly { title: string; targets: readonly { expr: string }[] }[]
}
