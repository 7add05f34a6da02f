import { misspeltVariables } from '@anniversary/shared/misspelt-variables'
import { UsageError } from '../rejected.ts'
import { buildInfo } from '../version.ts'
import { addCanaryCommands } from './canary-commands.ts'
import { addChangingCommands } from './changing-commands.ts'
import { DeployCommand, type Runner } from './command.ts'
import { type CommandResult, commandFailureOf, printResult } from './command-result.ts'
import { addNginxCommand } from './nginx-command.ts'
import { addNoticeCommand } from './notice-command.ts'
import { localRunner } from './open-site.ts'
import { addPreviewCommand } from './preview-command.ts'
import { addReadingCommands, addReportCommands, type ReportAnswers } from './reading-commands.ts'

/**
 * Looked for misspelt. DEPLOY_TO, DEPLOY_API and DEPLOY_BY are too like other
 * programs' variables, and a command shows that they are not set.
 */
export const DEPLOY_VARIABLES = [
  'DEPLOY_ACCESS',
  'DEPLOY_PROMETHEUS',
  'DEPLOY_REPORTS',
  'DEPLOY_REPORTS_KEY',
  'DEPLOY_SITE',
  'DEPLOY_TOKEN',
  'DEPLOY_WEBHOOK',
]

interface Extension {
  readonly reports?: ReportAnswers
  addLocal?(program: DeployCommand): void
}

export async function executeCommandLine(
  args: readonly string[],
  run: Runner,
  { reports, addLocal }: Extension,
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
  addReportCommands(program, reports)
  addLocal?.(program)
  try {
    await program.parseAsync([...args], { from: 'user' })
  } catch (error) {
    result = commandFailureOf(error, help.trimEnd())
  }
  return result
}

/** @returns the exit code */
export async function runDeployCli(
  args: readonly string[],
  extension: Extension = {},
): Promise<number> {
  const result = await executeCommandLine(args, localRunner(args), {
    ...extension,
    addLocal(program) {
      program
        .option('--site <address>', 'folder or bucket; default: DEPLOY_SITE, or the site in ./site')
        .option(
          '--to <url>',
          'deploy server before the site; default: DEPLOY_TO, unless --site is named',
        )
        .option('--json', 'answer as JSON')
        .hook('preAction', () => {
          const problems = misspeltVariables(process.env, DEPLOY_VARIABLES)
          if (problems.length > 0) throw new UsageError(problems.join('\n'))
        })
      addNginxCommand(program)
      extension.addLocal?.(program)
    },
  })
  printResult(result, args.includes('--json'))
  return result.exitCode ?? 0
}
