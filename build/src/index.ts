export { base } from './base.ts'
export type { Env } from './env.ts'
export { host } from './host.ts'
export { remote } from './remote.ts'
