import { errorCode } from '@anniversary/shared/error-code'
import { errorMessage } from '@anniversary/shared/error-message'
import { Command } from 'commander'
import { addCorrections } from './correction-commands.ts'
import { addFileCommands } from './file-commands.ts'
import { addQuestions } from './questions.ts'

const WRONG_USAGE = 2

const program = new Command('event')
  .description(
    "The operator's commands. They read the same variables as the server; OPERATOR says who you are in the audit.",
  )
  .addHelpText('after', '\nEnds with 0 when done, 1 when refused or broken, 2 when typed wrongly.')
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : WRONG_USAGE))

addQuestions(program)
addCorrections(program)
addFileCommands(program)

// A reader such as `head` may leave before the end; that is no failure.
process.stdout.on('error', (error) => process.exit(errorCode(error) === 'EPIPE' ? 0 : 1))

program.parseAsync().catch((error: unknown) => {
  console.error(errorMessage(error))
  process.exitCode = 1
})
