import { isRemote } from '../builds/read-build.ts'
import { checkApi } from '../checks/api-contract.ts'
import { sizeProblems } from '../checks/page-sizes.ts'
import { type SmokeReport, smokeTest } from '../checks/smoke-test.ts'
import { Rejected, type SmokeResult } from '../rejected.ts'
import { authorize, CHECKS, type Context } from '../site/context.ts'
import type { CheckOptions, Derived } from './derive.ts'

export interface Checked {
  readonly warnings: readonly string[]
  readonly smoke: readonly SmokeResult[]
}

const NOT_TESTED: SmokeReport = { problems: [], results: [], warnings: [] }

/** Checks sizes and loads the proposed site in a browser. @throws Rejected with every problem */
export async function checkBuilds(
  context: Context,
  { record, builds, candidates }: Derived,
  { force, smoke, ...limits }: CheckOptions,
): Promise<Checked> {
  if (force || !smoke) await authorize(context, [CHECKS])
  const sizes = (await Promise.all(candidates.filter(isRemote).map(sizeProblems))).flat()
  const waived = force ? sizes.splice(0) : []
  const api = await checkApi(record.config, candidates)
  const report = smoke
    ? await smokeTest(context, { record, builds, candidates }, limits)
    : NOT_TESTED
  const problems = [...sizes, ...api.problems, ...report.problems]
  if (problems.length > 0) throw new Rejected(problems, report.results)
  // The browser takes a while, in which the token may have been revoked.
  await authorize(context, [])
  return {
    smoke: report.results,
    warnings: [
      ...waived.map(({ about, found }) => `${about}: ${found}`),
      ...api.warnings,
      ...report.warnings,
    ],
  }
}
