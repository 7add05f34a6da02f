import { runServerCli } from './run-server-cli.ts'

// `deploy history | head -1` closes the pipe early, which is no failure of the
// command.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})
process.exitCode = await runServerCli(process.argv.slice(2))
