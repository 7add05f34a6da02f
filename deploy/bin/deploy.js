#!/usr/bin/env node
// Runs the TypeScript sources. Node does not strip types below node_modules (nodejs.org/api/typescript.html), tsx does.
import { register } from 'tsx/esm/api'

register()
await import('../src/cli/main.ts')
