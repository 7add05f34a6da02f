import type { Composition, PageComposition } from '@anniversary/shared/contract/composition'
import { integrityOf } from '../builds/read-build.ts'
import { jsonBytes, sha256 } from '../target/target.ts'

/** Folder of these files. `prune` removes them with their records. */
export const WHOLE_FOLDER = 'composition'

interface WholeFile extends NonNullable<PageComposition['whole']> {
  /** In the site. */
  readonly path: string
  readonly bytes: Buffer
}

/** The whole composition, for a page that needs more of it than it carries. The name has number and hash. */
export function wholeFile(composition: Composition, folder: string = WHOLE_FOLDER): WholeFile {
  const bytes = jsonBytes(composition)
  const hash = sha256(bytes).slice(0, 12)
  const path = `${folder}/${composition.number}-${hash}.json`
  return { path, bytes, url: `/${path}`, integrity: integrityOf(bytes) }
}
