import type { Composition, PageComposition } from '@anniversary/shared/contract/composition'
import { integrityOf } from '../builds/read-build.ts'
import { jsonBytes, sha256 } from '../target/target.ts'

/** Folder of these files; they are kept as long as the records that they are made from. */
export const WHOLE_FOLDER = 'composition'

interface WholeFile extends NonNullable<PageComposition['whole']> {
  /** In the site. */
  readonly path: string
  readonly bytes: Buffer
}

/** The file from which a page takes what it does not carry of its composition. Its name has the number and the hash. */
export function wholeFile(composition: Composition, folder: string = WHOLE_FOLDER): WholeFile {
  const bytes = jsonBytes(composition)
  const hash = sha256(bytes).slice(0, 12)
  const path = `${folder}/${composition.number}-${hash}.json`
  return { path, bytes, url: `/${path}`, integrity: integrityOf(bytes) }
}
