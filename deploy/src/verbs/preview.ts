import { randomBytes } from 'node:crypto'
import { type Candidate, versionOfBuild } from '../builds/read-build.ts'
import { createRejection } from '../rejected.ts'
import { absoluteUrl, showingBuilds, trustedTypesOf, versionsOf } from '../site/compose.ts'
import { authorizeParts, authorizeVerb, authorOfChange, type Context } from '../site/context.ts'
import {
  allPreviews,
  BANNER_STYLE,
  type Preview,
  previewFolder,
  previewRecordPath,
  removeExpired,
  removePreview,
} from '../site/preview.ts'
import { requireSiteRecord, type SiteRecord } from '../site/record.ts'
import { uploadVersions } from '../site/version-folders.ts'
import { pagesOfSite, writeCompressed } from '../site/write-pages.ts'
import { jsonBytes, settleWrites } from '../target/target.ts'
import { checkBuilds, openBuildFolders } from './check-builds.ts'
import type { CheckOptions } from './derive.ts'
import { deriveRecord } from './derive.ts'
import { publishChange } from './publish.ts'

/** 30 days in milliseconds. */
const LONGEST = 30 * 86_400_000

const NO_HOST =
  'eventUrl is not set, so the link has no host name: put the address of the site before it, or set it by `deploy config eventUrl=https://…`'

/** Previews have the live site's headers. */
function policyWarnings(live: SiteRecord, shown: SiteRecord): string[] {
  const allowed = trustedTypesOf(live)
  const missing = trustedTypesOf(shown).filter((name) => !allowed.includes(name))
  if (missing.length === 0) return []
  return [
    `previews have the live site's policy, which does not allow ${missing.join(', ')} yet: look at it by \`npm run dev -- --site\``,
  ]
}

/**
 * Names in the folder that versions share are written once. A preview must not
 * take one from a publish.
 */
function withOwnFiles(candidate: Candidate): Candidate {
  const files = Object.entries(candidate.build.files).map(
    ([path, { immutable: _, ...file }]) => [path, file] as const,
  )
  const build = { ...candidate.build, files: Object.fromEntries(files) }
  return { ...candidate, build, version: versionOfBuild(build) }
}

/** The address cannot be guessed. */
export async function createPreview(
  context: Context,
  folders: readonly string[],
  { for: time, ...checks }: CheckOptions & { readonly for: number },
) {
  const { target } = context
  if (context.caller && time > LONGEST)
    throw createRejection(
      'access',
      '--for',
      'a preview stays 30 days at most',
      'Name a shorter time',
    )
  const candidates = (await openBuildFolders(context, folders)).map(withOwnFiles)
  const change = { ...publishChange(candidates, checks), verb: 'preview' }
  const derived = await deriveRecord(context, change)
  const live = requireSiteRecord(derived.before)
  const now = target.now()
  const checked = await checkBuilds(context, derived, checks)
  await removeExpired(target, now)
  const { reportUrl: _, ...config } = derived.record.config
  // Visitors of previews are no members.
  const site = {
    ...showingBuilds(derived.record, candidates),
    createdAt: now.toISOString(),
    config,
  }
  const id = randomBytes(16).toString('hex')
  const folder = previewFolder({ id })
  const [path = '/'] = candidates.flatMap(({ build }) => Object.keys(build.routes))
  const preview: Preview = {
    id,
    until: new Date(now.getTime() + time).toISOString(),
    by: authorOfChange(context),
    shown: candidates.map(({ build, version }) => [build.name, version]),
    used: versionsOf(site),
    link: absoluteUrl(`/${folder}${path}`, config.eventUrl),
  }
  // The next preview cleans up after a deploy that dies below.
  await target.write(previewRecordPath(id), jsonBytes(preview))
  await uploadVersions(target, candidates)
  const files = new Map([
    [`${folder}/preview.css`, BANNER_STYLE],
    ...(await pagesOfSite(target, site, derived.builds, preview)),
  ])
  await settleWrites([...files].map(([file, content]) => writeCompressed(target, file, content)))
  const warnings = [...checked.warnings]
  if (!config.eventUrl) warnings.push(NO_HOST)
  warnings.push(...policyWarnings(live, site))
  return { ...checked, warnings, preview }
}

export async function stopPreview(context: Context, id: string): Promise<Preview> {
  authorizeVerb(context, 'preview')
  const preview = (await allPreviews(context.target)).find((one) => one.id === id)
  if (!preview)
    throw createRejection(
      'site',
      id,
      'there is no such preview',
      'It may have ended: its id is in its link',
    )
  await authorizeParts(
    context,
    preview.shown.map(([name]) => name),
  )
  await removePreview(context.target, preview)
  return preview
}
