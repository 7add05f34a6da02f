import { isHost, isRemote } from '../builds/read-build.ts'
import { checkApi } from '../checks/api-contract.ts'
import { sizeProblems } from '../checks/page-sizes.ts'
import { type SmokeLimits, type SmokeReport, smokeTest } from '../checks/smoke-test.ts'
import { Rejected, rejected, type SmokeResult } from '../rejected.ts'
import { authorize, CHECKS, type Context } from '../site/context.ts'
import type { CheckOptions, Derived } from './derive.ts'

export interface Checked {
  readonly warnings: readonly string[]
  readonly smoke: readonly SmokeResult[]
}

const NO_EVENT_URL =
  'eventUrl is not set, so social networks show links to this site without a picture: set the address of the site, https://…'

/** Limits of one call for the server's browser. */
const CALLER_LIMITS = { budget: 120_000, shells: 5 }

function checkLimits({ budget = 0, shells = 0 }: SmokeLimits): void {
  if (budget > CALLER_LIMITS.budget)
    throw rejected('access', '--budget', 'the deploy server gives 2 minutes at most', 'Name a shorter time')
  if (shells > CALLER_LIMITS.shells)
    throw rejected('access', '--shells', 'the deploy server loads 5 shells at most', 'Name fewer')
}

const NOT_TESTED: SmokeReport = { problems: [], results: [], warnings: [] }

/** Checks sizes and loads the proposed site in a browser. @throws Rejected with every problem */
export async function checkBuilds(
  context: Context,
  { record, builds, candidates }: Derived,
  { force, smoke, ...limits }: CheckOptions,
): Promise<Checked> {
  if (force || !smoke) await authorize(context, [CHECKS])
  if (context.caller) checkLimits(limits)
  const sizes = (await Promise.all(candidates.filter(isRemote).map(sizeProblems))).flat()
  const waived = force ? sizes.splice(0) : []
  const api = await checkApi(record.config, candidates)
  const report = smoke ? await smokeTest(context, { record, builds, candidates }, limits) : NOT_TESTED
  const problems = [...sizes, ...api.problems, ...report.problems]
  if (problems.length > 0) throw new Rejected(problems, report.results)
  // The browser takes a while, in which the token may have been revoked.
  await authorize(context, [])
  const isBare = !record.config.eventUrl && candidates.filter(isHost).some(({ build }) => build.page?.card)
  return {
    smoke: report.results,
    warnings: [
      ...waived.map(({ about, found }) => `${about}: ${found}`),
      ...api.warnings,
      ...report.warnings,
      ...(isBare ? [NO_EVENT_URL] : []),
    ],
  }
}
