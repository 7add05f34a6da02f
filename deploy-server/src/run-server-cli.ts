import { runDeployCli } from '@anniversary/deploy/cli/program'
import { serverReports } from './cli/report-answers.ts'
import { addServerCommands } from './server/commands.ts'

/** @returns the exit code */
export const runServerCli = (args: readonly string[]): Promise<number> =>
  runDeployCli(args, { reports: serverReports, addLocal: addServerCommands })
