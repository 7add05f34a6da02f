import { randomBytes } from 'node:crypto'
import { readCandidates } from '../builds/candidates.ts'
import { type PageSize, pageSizes } from '../checks/page-sizes.ts'
import { rejected } from '../rejected.ts'
import { author, derive } from '../site/change.ts'
import { compositionOf, versionsOf, without } from '../site/compose.ts'
import {
  allPreviews,
  PREVIEW_FILES,
  type Preview,
  previewFolder,
  previewRecordPath,
  removeExpired,
  removePreview,
} from '../site/preview.ts'
import { requireSite, type SiteRecord, type SiteState } from '../site/record.ts'
import { uploadVersions } from '../site/version-folders.ts'
import { wholeFile } from '../site/whole-file.ts'
import { pagesOf, writeWithVariants } from '../site/write-pages.ts'
import { withLock } from '../target/lock.ts'
import { jsonBytes, type Target } from '../target/target.ts'
import { type PublishOptions, publishChange, validate } from './publish.ts'

export interface PreviewOptions extends PublishOptions {
  /** Milliseconds that it is valid. */
  readonly time: number
}

export interface Previewed {
  readonly preview: Preview
  readonly sizes: readonly PageSize[]
  readonly warnings: readonly string[]
}

/**
 * Shows builds inside the site as publishing them would, but under an address that nobody can guess. Members' pages
 * stay as they are.
 * @param folders output folders of builds
 * @throws Rejected for what publish would refuse
 */
export async function createPreview(
  target: Target,
  folders: readonly string[],
  options: PreviewOptions,
  now: Date = new Date(),
): Promise<Previewed> {
  const candidates = await readCandidates(folders)
  const change = publishChange(candidates)
  requireSite((await derive(target, change)).history.newest)
  const warnings = await validate(target, candidates, options)
  return await withLock(target, async () => {
    await removeExpired(target, now)
    // Again, because another deploy may have changed the site meanwhile.
    const { history, builds, next } = await derive(target, change)
    const record = requireSite(history.newest)
    await uploadVersions(target, candidates)
    const shown = candidates.map(({ build, version }): [string, string] => [build.name, version])
    const site: SiteRecord = {
      ...record,
      createdAt: now.toISOString(),
      ...previewState(next, new Set(shown.map(([name]) => name))),
    }
    const id = randomBytes(16).toString('hex')
    const folder = previewFolder({ id })
    const [path = '/'] = candidates.flatMap(({ build }) => Object.keys(build.routes))
    const link = `/${folder}${path}`
    const { eventUrl } = site.config
    const preview: Preview = {
      id,
      createdAt: site.createdAt,
      until: new Date(now.getTime() + options.time).toISOString(),
      by: author(),
      shown,
      used: versionsOf(site),
      link: eventUrl ? new URL(link, eventUrl).href : link,
    }
    // Written first, so that the files of a deploy that dies below are removed after their time.
    await target.write(previewRecordPath(id), jsonBytes(preview))
    for (const [name, file] of Object.entries(PREVIEW_FILES))
      await writeWithVariants(target, `${folder}/${name}`, file)
    const { path: wholePath, bytes, ...whole } = wholeFile(compositionOf(site), folder)
    await writeWithVariants(target, wholePath, bytes)
    for (const [path, page] of await pagesOf(target, site, builds, whole, preview))
      await writeWithVariants(target, path, page)
    const sizes = await Promise.all(candidates.map((candidate) => pageSizes(target, record, candidate)))
    return { preview, sizes: sizes.flat(), warnings }
  })
}

/**
 * The site with the builds in it: switched on, for every visitor, and without previous releases that would hide their
 * failures. It reports nothing, because its visitors are no members.
 */
function previewState({ shell, remotes, config }: SiteState, shown: ReadonlySet<string>): SiteState {
  const { reportUrl: _, ...silent } = config
  const previewed = Object.entries(remotes).map(([name, remote]) => {
    const steady = without(remote, 'canary')
    return [name, shown.has(name) ? { ...without(steady, 'previous'), status: 'on' } : steady]
  })
  return { shell, remotes: Object.fromEntries(previewed), config: silent }
}

/** Takes a preview away before its time. @throws Rejected when there is none of this id */
export async function stopPreview(target: Target, id: string): Promise<Preview> {
  return await withLock(target, async () => {
    const preview = (await allPreviews(target)).find((one) => one.id === id)
    if (!preview)
      throw rejected('site', id, 'there is no such preview', 'Choose one of `deploy preview --list`')
    await removePreview(target, preview)
    return preview
  })
}
