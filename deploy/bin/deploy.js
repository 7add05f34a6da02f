#!/usr/bin/env node
// The sources are TypeScript and run as they are, here and from a package: Node itself refuses to strip types below
// node_modules (nodejs.org/api/typescript.html), so tsx does it.
import { register } from 'tsx/esm/api'

register()
await import('../src/cli/main.ts')
