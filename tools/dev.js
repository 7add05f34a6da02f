// Not `--import tsx`: it rewrites what is loaded by require() as well, and Rspack's federation runtime, whose text goes
// into the bundles, would call a helper that no page has.
import { register } from 'tsx/esm/api'

register()
await import('./dev/main.ts')
