import { type Candidate, readBuildJson, readCandidates } from '../builds/read-build.ts'
import { authorize, type Context } from '../site/context.ts'

/** Reads builds of packages that the caller may change. No other file of them is read before that is clear. */
export async function openBuilds(context: Context, folders: readonly string[]): Promise<Candidate[]> {
  const builds = await Promise.all(folders.map(readBuildJson))
  await authorize(
    context,
    builds.map(({ name }) => name),
  )
  return await readCandidates(folders)
}
