#!/usr/bin/env node
// See deploy/bin/deploy.js for why tsx.
import { register } from 'tsx/esm/api'

register()
await import('../dev/remote.ts')
