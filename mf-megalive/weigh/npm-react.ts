import { MegaLive } from '../npm/react.ts'

// Used, so that it is weighed.
Object.assign(globalThis, { MegaLive })
