// Rspack loads its configs with plain Node, which cannot run TypeScript before 22.18 and never below node_modules.
import { register } from 'tsx/esm/api'

register()
export const { base, host, remote } = await import('./src/index.ts')
