// Plain Node loads Rspack's configs, and runs no TypeScript before 22.18 or below node_modules. tsx's hook for
// CommonJS (`--import tsx`) would rewrite functions that become part of bundles (`__name is not defined`).
import { register } from 'tsx/esm/api'

register()
export const {
  base,
  buildManifest,
  outputFilesOf,
  host,
  htmlFiles,
  inOrder,
  prerenderPage,
  remote,
} = await import('./src/index.ts')
