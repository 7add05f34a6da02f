import { checkApi } from '../checks/api-contract.ts'
import { type SmokeReport, smokeTest } from '../checks/smoke-test.ts'
import { Rejected, type SmokeResult } from '../rejected.ts'
import { authorize, CHECKS, type Context } from '../site/context.ts'
import type { CheckOptions, Derived } from './derive.ts'

export interface Checked {
  readonly warnings: readonly string[]
  readonly smoke: readonly SmokeResult[]
}

const NOT_TESTED: SmokeReport = { problems: [], results: [], warnings: [] }

/** Compares the API's contract, and loads the proposed site in a browser. @throws Rejected with every problem */
export async function checkBuilds(
  context: Context,
  { record, builds, candidates }: Derived,
  { smoke, apiContract, ...limits }: CheckOptions,
): Promise<Checked> {
  if (!smoke) await authorize(context, [CHECKS])
  const api = await checkApi(record.config, candidates, apiContract)
  const report = smoke
    ? await smokeTest(context, { record, builds, candidates }, limits)
    : NOT_TESTED
  const problems = [...api.problems, ...report.problems]
  if (problems.length > 0) throw new Rejected(problems, report.results)
  // The browser takes a while, in which the token may have been revoked.
  await authorize(context, [])
  return {
    smoke: report.results,
    warnings: [...api.warnings, ...report.warnings],
  }
}
