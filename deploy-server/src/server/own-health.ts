import type { IncomingMessage, ServerResponse } from 'node:http'
import { shownComposition } from '@anniversary/deploy/site/compose'
import { currentSiteRecord, readSitePointer } from '@anniversary/deploy/site/record'
import type { Target } from '@anniversary/deploy/target/target'
import { buildInfo } from '@anniversary/deploy/version'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { bearerTokenOf, callerOfToken } from './access.ts'

export const answerLiveness = (): string => JSON.stringify({ status: 'ok', ...buildInfo })

const registry = new Registry()
const registers = [registry]
collectDefaultMetrics({ register: registry })
const counter = (name: string, help: string) => new Counter({ name, help, registers })
const gauge = (name: string, help: string) => new Gauge({ name, help, registers })

export const countedCalls = counter('deploy_calls_total', 'Calls of the publish API')
export const rejectedCalls = counter(
  'deploy_calls_rejected_total',
  'Calls that were rejected or failed',
)
const composition = gauge('deploy_composition', 'Number of the composition that pages must show')
const shown = gauge('deploy_composition_shown', 'Number of the composition that pages show')
const lastChange = gauge('deploy_last_change_seconds', 'Time of the last change')
const releases = new Gauge({
  name: 'deploy_release',
  help: 'Releases that pages load: the current one of each remote, and its canary',
  labelNames: ['remote', 'version', 'role'],
  registers,
})
new Gauge({
  name: 'build_info',
  help: 'What runs',
  labelNames: ['version', 'commit'],
  registers,
}).set(buildInfo, 1)

/** Prometheus sends any token of the access file as its bearer. */
export async function answerMetrics(
  target: Target,
  access: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const caller = await callerOfToken(access, bearerTokenOf(request)).catch(() => null)
  if (!caller) response.writeHead(401).end()
  else
    await metrics(target).then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(503).end(),
    )
}

async function metrics(target: Target): Promise<string> {
  const site = await currentSiteRecord(target)
  composition.set(shownComposition(site).number)
  shown.set((await readSitePointer(target))?.number ?? 0)
  lastChange.set(Date.parse(site.createdAt) / 1000)
  releases.reset()
  for (const [remote, { current, canary }] of Object.entries(site.remotes)) {
    releases.set({ remote, version: current.version, role: 'current' }, 1)
    if (canary) releases.set({ remote, version: canary.release.version, role: 'canary' }, 1)
  }
  return await registry.metrics()
}
