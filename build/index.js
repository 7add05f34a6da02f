// Rspack loads its configs by plain Node, which cannot run TypeScript before 22.18, and never below node_modules.
// Only tsx's hook for ES modules: the one for CommonJS (`--import tsx`) rewrites the bundler's own functions, whose source
// becomes part of bundles (`__name is not defined`).
import { register } from 'tsx/esm/api'

register()
export const { base, buildManifest, filesOf, host, htmlFiles, prerenderPage, remote } =
  await import('./src/index.ts')
