import { readBuildJson, versionOf } from '@anniversary/deploy/builds/read-build'
import { newestRecord } from '@anniversary/deploy/site/record'
import { jsonBytes, readJson, type Target } from '@anniversary/deploy/target/target'
import { configure } from '@anniversary/deploy/verbs/configure'
import { publish } from '@anniversary/deploy/verbs/publish'
import { type PublicConfig, publicConfigSchema } from '@anniversary/shared/contract/config'
import { z } from 'zod'
import { buildablePackages } from './workspace-builds.ts'

const PUBLISHED = '.deploy/started.json'

/**
 * Publishes each build that no earlier start has published into this site. So a rollback of the local site survives a
 * restart.
 */
export async function publishBuilds(
  target: Target,
  config: PublicConfig,
  progress: (line: string) => void,
): Promise<void> {
  const done = z.record(z.string(), z.string()).parse((await readJson(target, PUBLISHED)) ?? {})
  const site = await newestRecord(target)
  const builds = await Promise.all(
    buildablePackages.map(async ({ name, dist }) => ({
      name,
      dist,
      version: versionOf(await readBuildJson(dist)),
    })),
  )
  const fresh = builds.filter(({ name, version }) => !site || done[name] !== version)
  if (fresh.length > 0) {
    const began = Date.now()
    const folders = fresh.map(({ dist }) => dist)
    // Too large for a real deploy: a developer may look at it all the same.
    const { summary, warnings } = await publish(target, folders, { anySize: true, config })
    for (const warning of warnings) progress(`! ${warning}`)
    progress(`published ${summary} (${((Date.now() - began) / 1000).toFixed(1)} s)`)
    const published = Object.fromEntries(builds.map(({ name, version }) => [name, version]))
    await target.write(PUBLISHED, jsonBytes(published))
  }
  // Writes the pages anew also where nothing differs: a killed start may have left some of an older composition.
  const names = publicConfigSchema.keyof().options
  await configure(target, Object.fromEntries(names.map((name) => [name, config[name] ?? null])))
}
