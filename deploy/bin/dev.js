#!/usr/bin/env node
// See deploy.js for why tsx.
import { register } from 'tsx/esm/api'

register()
await import('../src/dev.ts')
