import { errorCode } from '@anniversary/shared/error-code'
import { runCli } from './program.ts'

// `deploy history | head -1` closes the pipe early; the verb still runs to its end.
process.stdout.on('error', (error) => {
  if (errorCode(error) !== 'EPIPE') throw error
})
process.exitCode = await runCli(process.argv.slice(2))
