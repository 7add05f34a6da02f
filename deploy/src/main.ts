import { errorCode } from '@anniversary/shared/error-code'
import { runCli } from './run-cli.ts'

// `deploy history | head -1` closes the pipe early, which is no failure of the verb.
process.stdout.on('error', (error) => {
  if (errorCode(error) !== 'EPIPE') throw error
})
process.exitCode = await runCli(process.argv.slice(2))
