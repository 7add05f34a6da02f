import type { IncomingMessage, ServerResponse } from 'node:http'
import { currentSite, pointerNumber } from '@anniversary/deploy/site/record'
import type { Target } from '@anniversary/deploy/target/target'
import { readCommit, version } from '@anniversary/deploy/version'
import { plansOf } from '../canary/plan.ts'
import { callerOf, tokenOf } from './access.ts'

/** Counters since the start of the deploy server. */
export const counters = { calls: 0, rejectedCalls: 0, analysedAt: 0 }

const commit = readCommit()

export const liveness = (): string => JSON.stringify({ status: 'ok', version, commit })

/** Answers Prometheus, which sends any token of the access file as its bearer. */
export async function answerMetrics(
  target: Target,
  access: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const caller = await callerOf(access, tokenOf(request)).catch(() => null)
  if (!caller) response.writeHead(401).end()
  else
    await metrics(target).then(
      (text) => response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end(text),
      () => response.writeHead(503).end(),
    )
}

async function metrics(target: Target): Promise<string> {
  const site = await currentSite(target)
  const plans = await plansOf(target, site)
  const values: [name: string, type: 'counter' | 'gauge', help: string, value: number][] = [
    ['deploy_calls_total', 'counter', 'Calls of the publish API', counters.calls],
    ['deploy_calls_rejected_total', 'counter', 'Calls that were rejected or failed', counters.rejectedCalls],
    ['deploy_composition', 'gauge', 'Number of the newest composition', site.number],
    [
      'deploy_composition_shown',
      'gauge',
      'Number of the composition that pages show',
      (await pointerNumber(target)) ?? 0,
    ],
    ['deploy_last_change_seconds', 'gauge', 'Time of the last change', Date.parse(site.createdAt) / 1000],
    ['deploy_canary_plans', 'gauge', 'Canaries that are analysed', plans.length],
    [
      'deploy_last_analysis_seconds',
      'gauge',
      'Time of the last round of canary analysis',
      counters.analysedAt / 1000,
    ],
    ['process_resident_memory_bytes', 'gauge', 'Resident memory', process.memoryUsage.rss()],
    ['process_start_time_seconds', 'gauge', 'Time of the start', Date.now() / 1000 - process.uptime()],
  ]
  const lines = values.map(
    ([name, type, help, value]) => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}\n`,
  )
  return `${lines.join('')}# HELP build_info What runs\n# TYPE build_info gauge\nbuild_info{version="${version}",commit="${commit}"} 1\n`
}
