import { reportOutputFailure } from '@anniversary/deploy/cli/command-result'
import { runServerCli } from './run-server-cli.ts'

process.stdout.on('error', reportOutputFailure)
process.exitCode = await runServerCli(process.argv.slice(2))
