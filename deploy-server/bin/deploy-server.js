#!/usr/bin/env node
// Runs the TypeScript sources. Node does not strip types below node_modules (nodejs.org/api/typescript.html), tsx does.
// zod is loaded before tsx's hooks, which make its hundred files three times as slow.
import 'zod'
import { register } from 'tsx/esm/api'

register()
await import('../src/main.ts')
