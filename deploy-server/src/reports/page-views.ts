import { UsageError } from '@anniversary/deploy/rejected'
import { FACTS, type Fact, SEEN, VIEW_COUNTER } from '@anniversary/shared/contract/report'
import { z } from 'zod'
import { requestJson } from './ask-json.ts'

export interface VersionViews extends Readonly<Record<Fact, number>> {
  readonly remote: string
  readonly version: string
  readonly seen: number
}

export interface ReleaseAlert {
  readonly name: string
  readonly remote: string
  readonly version: string
  readonly summary: string
}

const samplesSchema = z.object({
  result: z.array(
    z.object({
      // Prometheus drops an empty label.
      metric: z.object({
        remote: z.string(),
        version: z.string().default(''),
        fact: z.string(),
      }),
      value: z.tuple([z.number(), z.coerce.number()]),
    }),
  ),
})

/** @param remote undefined: all packages */
export async function readVersionViews(hours: number, remote?: string): Promise<VersionViews[]> {
  const selector = remote ? `{remote=${JSON.stringify(remote)}}` : ''
  const query = `sum by (remote, version, fact) (increase(${VIEW_COUNTER}${selector}[${hours}h]))`
  const { result } = await askPrometheus('query', { query }, samplesSchema)

  const versions = new Map<string, VersionViews>()
  for (const { metric, value } of result) {
    const { remote, version, fact } = metric
    if (fact !== SEEN && !isFact(fact)) continue
    const key = `${remote} ${version}`
    const counts = versions.get(key) ?? { ...NO_VIEWS, remote, version }
    versions.set(key, { ...counts, [fact]: Math.round(value[1]) })
  }
  return [...versions.values()].filter(({ seen }) => seen > 0).sort((a, b) => b.seen - a.seen)
}

const NO_VIEWS = { seen: 0, threw: 0, failed: 0, paintedLate: 0, answeredLate: 0 }

const isFact = (name: string): name is Fact => FACTS.some((fact) => fact === name)

const alertsSchema = z.object({
  alerts: z.array(
    z.object({
      state: z.string(),
      labels: z.looseObject({
        alertname: z.string(),
        remote: z.string().optional(),
        version: z.string().default(''),
      }),
      annotations: z.object({ summary: z.string().default('') }),
    }),
  ),
})

export async function readReleaseAlerts(): Promise<ReleaseAlert[]> {
  const { alerts } = await askPrometheus('alerts', {}, alertsSchema)
  return alerts.flatMap(({ state, labels, annotations }) => {
    const { alertname: name, remote, version } = labels
    if (state !== 'firing' || !remote) return []
    return [{ name, remote, version, summary: annotations.summary }]
  })
}

async function askPrometheus<T>(
  call: string,
  parameters: Readonly<Record<string, string>>,
  data: z.ZodType<T>,
): Promise<T> {
  const { DEPLOY_PROMETHEUS: url = '' } = process.env
  if (!URL.canParse(url))
    throw new UsageError(
      'Which Prometheus counts the views? Set DEPLOY_PROMETHEUS to http://…:9090, or ask whoever runs the deploy server to.',
    )

  const address = new URL(`${url.replace(/\/$/, '')}/api/v1/${call}`)
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
  const answer = await requestJson({
    address,
    schema: z.object({ data }),
    advice: {
      unauthorized: 'let this machine read it without one',
      otherAnswer: 'is DEPLOY_PROMETHEUS the address of a Prometheus?',
    },
  })
  return answer.data
}
