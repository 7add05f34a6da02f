import { type Candidate, HOST_NAME, readBuild } from '../builds/read-build.ts'
import { rejected } from '../rejected.ts'
import { authorize, type Context } from '../site/context.ts'

/** Reads builds of packages that the caller may change. @throws Rejected for a name that is given twice or not theirs */
export async function openBuilds(
  context: Context,
  folders: readonly string[],
): Promise<Candidate[]> {
  const named = new Set<string>()
  const reading = folders.map((folder) =>
    readBuild(folder, async ({ name, kind }) => {
      await authorize(context, [name])
      if (named.has(name))
        throw rejected('build', name, 'it is named twice in one publish', 'Name each build once')
      named.add(name)
      if ((kind === 'host') !== (name === HOST_NAME))
        throw rejected(
          'build',
          name,
          `a ${kind} is called ${name}`,
          `Only the host is called ${HOST_NAME}`,
        )
    }),
  )
  return await Promise.all(reading)
}
