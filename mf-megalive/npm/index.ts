import { defineMegaLive } from './element.ts'

export * from './element.ts'

// Importing the package is enough: `import '@anniversary/mf-megalive'`. On a server this does nothing.
defineMegaLive()
