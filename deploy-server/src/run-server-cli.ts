import { runCli } from '@anniversary/deploy/run-cli'
import { serverExtension } from './cli/report-answers.ts'
import { addServerCommands } from './server/commands.ts'

/** @returns the exit code */
export const runServerCli = (args: readonly string[]): Promise<number> =>
  runCli(args, { ...serverExtension, addLocalCommands: addServerCommands })
