import { setTimeout as sleep } from 'node:timers/promises'
import { check, until } from '@anniversary/api/prove/report'
import { currentSiteRecord } from '@anniversary/deploy/site/record'
import { FileTarget } from '@anniversary/deploy/target/file-target'
import { repeat } from './faults.ts'
import { copyBuild, type Stack } from './stack.ts'
import { type Shares, sendView, startVisitors } from './visitors.ts'

/** Of a canary, until its alert stopped it. */
const LIMIT_SECONDS = 180
/** The rules look back two minutes. */
const WATCH_SECONDS = 150

const BAD: [alert: string, shares: Shares][] = [
  ['CanaryThrows', { threw: 0.3 }],
  ['CanaryFails', { failed: 0.3 }],
  ['CanaryLate', { answeredLate: 0.4 }],
]

/**
 * Proves that Prometheus, Alertmanager and the deploy server stop bad canaries,
 * and no good one.
 */
export async function proveCanaries(stack: Stack): Promise<[alert: string, seconds: number][]> {
  const good = await startCanary(stack, '1.0.1')
  const stopVisitors = startVisitors(stack.origins, good, { threw: 0.01, paintedLate: 0.11 })
  const forging = new AbortController()
  // One address says again and again that the canary threw.
  let forgedViews = 0
  const forged = repeat(forging.signal, 200, async () => {
    for (const origin of stack.origins)
      await sendView(origin, good.canary, ['threw'], '203.0.113.7')
    forgedViews++
  })
  await sleep(WATCH_SECONDS * 1000)
  stopVisitors()
  forging.abort()
  await forged
  check(forgedViews > 0, 'forged views are sent')
  check(
    (await readRemote(stack))?.canary !== undefined,
    'a good canary runs on, with forged views too',
  )
  stack.deploy('canary', 'stop', 'mf-auth')

  const rows: [alert: string, seconds: number][] = []
  for (const [number, [alert, shares]] of BAD.entries()) {
    const versions = await startCanary(stack, `1.0.${number + 2}`)
    const began = performance.now()
    const stop = startVisitors(stack.origins, versions, shares)
    await until(
      `stopping a canary by ${alert}`,
      async () => !(await readRemote(stack))?.canary,
      LIMIT_SECONDS,
    )
    stop()
    const { summary, by } = (await readSite(stack)).change
    const expected = `mf-auth canary ${versions.canary} stopped by the alert ${alert}`
    check(summary === expected && by === 'alertmanager', `the history says "${expected}"`)
    rows.push([alert, Math.round((performance.now() - began) / 1000)])
  }
  return rows
}

const readSite = ({ site }: Stack) => currentSiteRecord(new FileTarget(site))
const readRemote = async (stack: Stack) => (await readSite(stack)).remotes['mf-auth']

async function startCanary(stack: Stack, version: string) {
  const build = await copyBuild(stack.folder, version)
  stack.deploy('canary', 'start', build, '--percent', '30', '--no-smoke')
  const remote = await readRemote(stack)
  return {
    current: remote?.current.version ?? '',
    canary: remote?.canary?.release.version ?? '',
  }
}
