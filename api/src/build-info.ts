import { fileURLToPath } from 'node:url'

/** `api/build.ts` writes these values in. */
declare const BUILD: { readonly version: string; readonly commit: string } | undefined

const isBundled = typeof BUILD !== 'undefined'

/** A checkout has no commit of its own, since its files may differ from it. */
export const buildInfo = isBundled ? BUILD : { version: 'development', commit: 'unknown' }

export const buildVersionText = `${buildInfo.version} (${buildInfo.commit})`

export const migrationsFolder = fileURLToPath(
  new URL(isBundled ? './migrations' : '../migrations', import.meta.url),
)
