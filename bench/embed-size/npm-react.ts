import { MegaLive } from '../../mf-megalive/npm/react.ts'

// Used, so that the bundler keeps it.
Object.assign(globalThis, { MegaLive })
