import { join } from 'node:path'
import { swc } from './swc.js'
import './clean-environment.js'

const here = import.meta.dirname

export default {
  displayName: 'web',
  testEnvironment: join(here, 'jsdom-environment.ts'),
  roots: ['<rootDir>/src'],
  setupFilesAfterEnv: [join(here, 'setup-web.ts')],
  moduleNameMapper: {
    '\\.(svg|woff2|png|webp)$': join(here, 'asset.cjs'),
  },
  transform: { '\\.(t|j)sx?$': swc('commonjs'), '\\.css$': join(here, 'css-module.cjs') },
  // zustand, axios and the router ship CommonJS for Node. Our packages stay TypeScript when installed.
  transformIgnorePatterns: ['/node_modules/(?!@anniversary/)'],
  // Only for a test that hangs, so that a busy machine fails none.
  testTimeout: 900_000,
}
