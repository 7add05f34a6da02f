import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RemoteBuild } from '@anniversary/shared/contract/composition'
import { HOST_CONTRACT } from '@anniversary/shared/contract/host'
import { z } from 'zod'
import { invalid, rejected } from '../rejected.ts'
import { FileTarget } from '../target/file-target.ts'
import { jsonBytes, readJson } from '../target/target.ts'
import { type Candidate, integrityOf, readBuild } from './read-build.ts'

export interface Description {
  readonly entry: string
  /** Files by expose: `{'./WinnersPage': ['winners.*.js', 'winners.*.css']}`. */
  readonly exposes: Readonly<Record<string, readonly string[]>>
  /** Host contract that it needs; default: that of this tool's release. */
  readonly contract?: string
}

const packageSchema = z.object({
  name: z.string(),
  version: z.string(),
  peerDependencies: z.record(z.string(), z.string()).default({}),
})

/** Writes the `build.json` of another bundler's federated build and checks it. @param root folder of `package.json` */
export async function describeBuild(
  folder: string,
  root: string,
  { entry, exposes, contract = HOST_CONTRACT }: Description,
): Promise<Candidate> {
  const source = new FileTarget(root)
  const own = packageSchema.safeParse(await readJson(source, 'package.json'))
  if (!own.success) throw invalid('build', 'package.json', own.error, 'Run it in the folder of the remote')
  const { version, peerDependencies } = own.data
  const name = own.data.name.replace(/^@.*\//, '')
  const paths = (await new FileTarget(folder).list('')).filter((path) => !/\.(map|html|json)$/.test(path))
  function matching(pattern: string): string[] {
    const [start = '', ...ends] = pattern.split('*')
    const isNamed = (path: string) =>
      ends.length > 0 ? path.startsWith(start) && path.endsWith(ends.join('*')) : path === pattern
    const found = paths.filter(isNamed)
    if (found.length > 0) return found
    const instead = `It has ${paths.join(', ') || 'no files'}`
    throw rejected('build', name, `${folder} has no file ${pattern}`, instead)
  }
  const assetsOf = (patterns: readonly string[]) => {
    const files = patterns.flatMap(matching)
    const of = (ending: string) => files.filter((file) => file.endsWith(ending))
    return { js: of('.js'), css: of('.css') }
  }
  const [entryFile = '', another] = matching(entry)
  if (another)
    throw rejected('build', name, `${entry} names ${entryFile} and ${another}`, 'Build into an empty folder')
  const [, container = ''] = /\bvar ([\w$]+)/.exec(await readFile(join(folder, entryFile), 'utf8')) ?? []
  const files = paths.map(async (path) => {
    const bytes = await readFile(join(folder, path))
    return [path, { integrity: integrityOf(bytes), bytes: bytes.length }] as const
  })
  const build: RemoteBuild = {
    kind: 'remote',
    name,
    version,
    contract,
    entry: entryFile,
    container,
    exposes: Object.fromEntries(
      Object.entries(exposes).map(([expose, patterns]) => [expose, assetsOf(patterns)]),
    ),
    routes: ((await readJson(source, 'routes.json')) ?? {}) as RemoteBuild['routes'], // checked by readBuild
    shared: peerDependencies,
    files: Object.fromEntries(await Promise.all(files)),
  }
  await writeFile(join(folder, 'build.json'), jsonBytes(build))
  return await readBuild(folder)
}
