#!/usr/bin/env node
// Runs the TypeScript sources. Node does not strip types below node_modules (nodejs.org/api/typescript.html), tsx does.
// zod is loaded before tsx's hooks, which make its hundred files three times as slow.
import 'zod'
import { register } from 'tsx/esm/api'

register()
const { runCli } = await import('../src/run-cli.ts')
// `deploy history | head -1` closes the pipe early, which is no failure of the command.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error
})
process.exitCode = await runCli(process.argv.slice(2))
