export { base } from './base.ts'
export { host } from './host.ts'
export { remote } from './remote.ts'
