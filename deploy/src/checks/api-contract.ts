import { livezAnswer } from '@anniversary/shared/contract/api-version'
import type { PublicConfig } from '@anniversary/shared/contract/config'
import { isCompatible } from '@anniversary/shared/contract/contract-version'
import type { z } from 'zod'
import type { Candidate } from '../builds/read-build.ts'
import { createProblem, type Problem } from '../rejected.ts'
import type { SiteRecord } from '../site/record.ts'

const TIMEOUT_MS = 5000
const UNKNOWN =
  'the address of the API is not known, so it is not compared: set DEPLOY_API, or `deploy config eventUrl=https://…`'

function addressOf({ apiBase, eventUrl }: PublicConfig): string | undefined {
  if (!URL.canParse(apiBase, eventUrl)) return undefined
  return new URL(apiBase, eventUrl).href
}

function livezOf(config: PublicConfig): URL | null {
  const { DEPLOY_API: base = addressOf(config) } = process.env
  if (!URL.canParse('/livez', base)) return null
  return new URL('/livez', base)
}

interface Need {
  readonly name: string
  readonly api: string
}

const unmet = (needing: readonly Need[], served: string): Problem[] =>
  needing
    .filter(({ api }) => !isCompatible(served, api))
    .map(({ name, api }) =>
      createProblem(
        'api',
        name,
        `it needs API contract ${api}, the live API serves ${served}`,
        'Bring the API up first, or build with the contract that it serves',
      ),
    )

/** Settings of which the API has its own copy, and their names in `/livez`. */
export const API_COPIES = [
  ['site', 'site'],
  ['shareHost', 'share_host'],
] as const

/** With another site code, the API refuses every login. */
const differing = (config: PublicConfig, api: z.infer<typeof livezAnswer>): Problem[] =>
  API_COPIES.filter(([name, field]) => api[field] !== undefined && api[field] !== config[name]).map(
    ([name, field]) =>
      createProblem(
        'api',
        name,
        `it is ${config[name]} here, and ${api[field]} at the live API`,
        `Set ${field.toUpperCase()} of the API first, or \`deploy config ${name}=${api[field]}\``,
      ),
  )

interface Checked {
  readonly before: SiteRecord | null
  readonly record: SiteRecord
  /** None: the configuration changes. */
  readonly candidates: readonly Candidate[]
}

/**
 * Warns when the API is down or unknown, since a publish may be its fix.
 * @param served contract of an API that the caller starts and configures
 */
export async function checkApiContract(
  { before, record, candidates }: Checked,
  served?: string,
): Promise<{ problems: readonly Problem[]; warnings: readonly string[] }> {
  const needing = candidates.flatMap(({ build: { name, api } }) => {
    if (!api) return []
    return [{ name, api }]
  })
  if (needing.length === 0 && candidates.length > 0) return { problems: [], warnings: [] }
  if (served !== undefined) return { problems: unmet(needing, served), warnings: [] }
  const url = livezOf(record.config)
  if (!url) return { problems: [], warnings: [UNKNOWN] }
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
    })
    const api = livezAnswer.parse(await response.json())
    const problems = unmet(needing, api.contract)
    const differences = differing(record.config, api)
    if (before) return { problems: [...problems, ...differences], warnings: [] }

    // The configuration can be changed after the first publish only.
    const warnings = differences.map(({ about, found, todo }) => `${about}: ${found}. ${todo}`)
    return { problems, warnings }
  } catch {
    return {
      problems: [],
      warnings: [`${url} does not say which calls the API serves: not compared`],
    }
  }
}
