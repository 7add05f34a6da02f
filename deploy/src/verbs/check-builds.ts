import { type Candidate, HOST_NAME, readBuild } from '../builds/read-build.ts'
import { checkApiContract } from '../checks/api-contract.ts'
import { type SmokeReport, smokeTest } from '../checks/smoke-test.ts'
import { createRejection, Rejected, type SmokeResult } from '../rejected.ts'
import { authorizeParts, CHECKS, type Context } from '../site/context.ts'
import type { CheckOptions, Derived } from './derive.ts'

/** @throws Rejected for a name that is given twice or not the caller's */
export async function openBuildFolders(
  context: Context,
  folders: readonly string[],
): Promise<Candidate[]> {
  const named = new Set<string>()
  const reading = folders.map((folder) =>
    readBuild(folder, async ({ name, kind }) => {
      await authorizeParts(context, [name])
      if (named.has(name))
        throw createRejection(
          'build',
          name,
          'it is named twice in one publish',
          'Name each build once',
        )
      named.add(name)
      if ((kind === 'host') !== (name === HOST_NAME))
        throw createRejection(
          'build',
          name,
          `a ${kind} is called ${name}`,
          `Only the host is called ${HOST_NAME}`,
        )
    }),
  )
  return await Promise.all(reading)
}

export interface Checked {
  readonly warnings: readonly string[]
  readonly smoke: readonly SmokeResult[]
}

const NOT_TESTED: SmokeReport = { problems: [], results: [], warnings: [] }

/** @throws Rejected with every problem */
export async function checkBuilds(
  context: Context,
  derived: Derived,
  { smoke, apiContract, ...limits }: CheckOptions,
): Promise<Checked> {
  if (!smoke) await authorizeParts(context, [CHECKS])
  const api = await checkApiContract(derived, apiContract)
  const { record, builds, candidates } = derived
  const proposed = { record, builds, candidates }
  const report = smoke ? await smokeTest(context, proposed, limits) : NOT_TESTED
  const problems = [...api.problems, ...report.problems]
  if (problems.length > 0) throw new Rejected(problems, report.results)
  // The token may have been revoked meanwhile.
  await authorizeParts(context, [])
  return { smoke: report.results, warnings: [...api.warnings, ...report.warnings] }
}
