#!/usr/bin/env node
// Node strips no types below node_modules (nodejs.org/api/typescript.html). zod comes before tsx, whose hooks slow its
// hundred files.
import 'zod'
import { register } from 'tsx/esm/api'

register()
const { runDeployCli } = await import('../src/cli/program.ts')
// `deploy history | head -1` closes the pipe early.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error
})
process.exitCode = await runDeployCli(process.argv.slice(2))
