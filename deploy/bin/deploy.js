#!/usr/bin/env node
// Node strips no types below node_modules (nodejs.org/api/typescript.html). zod comes before tsx, whose hooks slow its
// hundred files.
import 'zod'
import { register } from 'tsx/esm/api'

register()
const { runDeployCli } = await import('../src/cli/program.ts')
const { reportOutputFailure } = await import('../src/cli/command-result.ts')
process.stdout.on('error', reportOutputFailure)
process.exitCode = await runDeployCli(process.argv.slice(2))
