export { base, host, remote } from './build/index.js'
