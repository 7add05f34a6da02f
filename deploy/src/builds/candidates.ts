import type { HostBuild, RemoteBuild } from '@anniversary/shared/contract/composition'
import { Rejected } from '../rejected.ts'
import { type Candidate, HOST_NAME, readBuild } from './read-build.ts'

export const isHost = (candidate: Candidate): candidate is Candidate<HostBuild> =>
  candidate.build.kind === 'host'
export const isRemote = (candidate: Candidate): candidate is Candidate<RemoteBuild> =>
  candidate.build.kind === 'remote'

/** @throws Rejected when a build is damaged or named twice, or when a remote is called `shell` or the host is not */
export async function readCandidates(folders: readonly string[]): Promise<Candidate[]> {
  const candidates = await Promise.all(folders.map(readBuild))
  const names = candidates.map(({ build }) => build.name)
  const problems = candidates.flatMap(({ build: { name, kind } }, index) => {
    const reject = (found: string, todo: string) => [{ rule: 'build' as const, about: name, found, todo }]
    if (names.indexOf(name) !== index)
      return reject('it is named twice in one publish', 'Name each build once')
    if ((kind === 'host') !== (name === HOST_NAME))
      return reject(`a ${kind} is called ${name}`, `The host, and only the host, is called ${HOST_NAME}`)
    return []
  })
  if (problems.length > 0) throw new Rejected(problems)
  return candidates
}
