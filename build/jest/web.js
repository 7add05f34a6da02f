import { join } from 'node:path'
import { swc } from './swc.js'

const here = import.meta.dirname

/** Jest preset for components and logic of the browser, in jsdom. */
export default {
  displayName: 'web',
  testEnvironment: join(here, 'jsdom-environment.ts'),
  roots: ['<rootDir>/src'],
  setupFilesAfterEnv: [join(here, 'setup-web.ts')],
  moduleNameMapper: {
    '\\.(svg|woff2|png|webp)$': join(here, 'asset.cjs'),
  },
  transform: { '\\.(t|j)sx?$': swc('commonjs'), '\\.css$': join(here, 'css-module.cjs') },
  // zustand, axios and the router ship CommonJS for Node. Our packages are TypeScript, also when they are installed.
  transformIgnorePatterns: ['/node_modules/(?!@anniversary/)'],
  // Only ends a test that hangs: a busy machine makes none red.
  testTimeout: 900_000,
}
