import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { bundleForNode } from '@anniversary/build/node-bundle'

const root = import.meta.dirname
await bundleForNode(root, { api: 'src/main.ts', event: 'src/operator/event.ts' })
cpSync(join(root, 'migrations'), join(root, 'dist/migrations'), { recursive: true })
