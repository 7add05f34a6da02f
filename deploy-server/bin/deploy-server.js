#!/usr/bin/env node
// Node strips no types below node_modules (nodejs.org/api/typescript.html). zod comes before tsx, whose hooks slow its
// hundred files.
import 'zod'
import { register } from 'tsx/esm/api'

register()
await import('../src/main.ts')
