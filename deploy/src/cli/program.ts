import { buildInfo } from '../version.ts'
import { addCanaryCommands } from './canary-commands.ts'
import { addChangingCommands } from './changing-commands.ts'
import { DeployCommand, type Runner } from './command.ts'
import { type CommandResult, commandFailureOf } from './command-result.ts'
import { addNoticeCommand } from './notice-command.ts'
import { addPreviewCommand } from './preview-command.ts'
import { addReadingCommands } from './reading-commands.ts'
import { addReportCommands, type ReportAnswers } from './report-commands.ts'

export interface Extension {
  readonly reports?: ReportAnswers
  addLocalCommands?(program: DeployCommand): void
}

/** @param addLocal adds what names places of this machine */
export async function executeCommandLine(
  args: readonly string[],
  run: Runner,
  extension: Extension,
  addLocal?: (program: DeployCommand) => void,
): Promise<CommandResult> {
  let result: CommandResult = { text: '' }
  let help = ''
  const keep = (text: string) => {
    help += text
  }
  const program = new DeployCommand('deploy', run, (ended) => {
    result = ended
  })
  // The commands inherit these settings.
  program
    .description('Puts builds live as a site of files, and takes them back.')
    .examples(`  $ deploy publish mf-auth                     put the build in mf-auth/dist live
  $ deploy rollback mf-auth                    back to its last good version
  $ deploy status --site s3://event-site
  $ deploy publish mf-auth --to https://deploy.example
  $ deploy canary --help                       examples of one command

A deploy server (--to) needs your token in DEPLOY_TOKEN.`)
    .version(`${buildInfo.version} ${buildInfo.commit}`, '-V, --version', 'print the version')
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(deploy --help lists the commands)')
    .configureOutput({ writeOut: keep, writeErr: keep })
  addChangingCommands(program)
  addCanaryCommands(program)
  addNoticeCommand(program)
  addPreviewCommand(program)
  addReadingCommands(program)
  addReportCommands(program, extension.reports)
  addLocal?.(program)
  try {
    await program.parseAsync([...args], { from: 'user' })
  } catch (error) {
    result = commandFailureOf(error, help.trimEnd())
  }
  return result
}
