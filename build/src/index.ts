export { base } from './base.ts'
export { host } from './host.ts'
export { type Env, remote } from './remote.ts'
