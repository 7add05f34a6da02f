import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ATTRIBUTES, IDS } from '@anniversary/shared/contract/page-names'
import { escapeHtml } from '@anniversary/shared/html-template'
import { z } from 'zod'
import { integrityOf } from '../builds/read-build.ts'
import { readAllFiles, type Target } from '../target/target.ts'
import { pageTexts } from '../texts.ts'
import { stylesheetLink } from './elements.ts'

const versions = z.array(z.tuple([z.string(), z.string()]))

/** Nobody can guess the folder's name, and no composition names it. */
const previewSchema = z.object({
  /** 128 random bits in hexadecimal: the key to the preview. */
  id: z.string().regex(/^[0-9a-f]{32}$/),
  /** Afterwards the next `preview` removes it. */
  until: z.iso.datetime(),
  by: z.string(),
  shown: versions,
  used: versions,
  link: z.string(),
})
export type Preview = z.infer<typeof previewSchema>

const RECORDS = '.deploy/previews'
export const previewRecordPath = (id: string): string => `${RECORDS}/${id}.json`

export const PREVIEW_SEGMENT = 'preview'
export const previewFolder = ({ id }: Pick<Preview, 'id'>): string => `${PREVIEW_SEGMENT}/${id}`

export const BANNER_STYLE = readFileSync(join(import.meta.dirname, 'preview.css'))

/** Skips damaged records, whose pages `verify` names. */
export const allPreviews = (target: Target): Promise<Preview[]> =>
  readAllFiles(target, RECORDS, previewSchema)

export async function removePreview(target: Target, { id }: Preview): Promise<void> {
  const files = await target.list(previewFolder({ id }))
  await Promise.all(files.map((path) => target.remove(path)))
  await target.remove(previewRecordPath(id))
}

export async function removeExpired(target: Target, now: Date): Promise<void> {
  for (const preview of await allPreviews(target))
    if (Date.parse(preview.until) <= now.getTime()) await removePreview(target, preview)
}

export function previewParts(preview: Preview | undefined, path: string) {
  if (!preview) return { attribute: '', style: '', banner: '' }
  const folder = `/${previewFolder(preview)}`
  return {
    attribute: ` ${ATTRIBUTES.basePath}="${folder}"`,
    style: stylesheetLink({ url: `${folder}/preview.css`, integrity: integrityOf(BANNER_STYLE) }),
    banner: bannerOf(preview, path),
  }
}

/**
 * Outside the app, no build can hide it. The router would follow a link without
 * a target.
 */
function bannerOf(preview: Preview, path: string): string {
  const text = pageTexts.preview(
    preview.shown.map((version) => version.join(' ')).join(', '),
    new Date(preview.until),
  )
  return `<p id="${IDS.previewBanner}">${escapeHtml(text)} <a href="${path}" target="_self">${escapeHtml(pageTexts.liveSite)}</a></p>`
}
