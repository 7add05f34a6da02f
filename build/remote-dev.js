#!/usr/bin/env node
// See index.js for why tsx.
import { register } from 'tsx/esm/api'

register()
await import('./src/dev/remote.ts')
