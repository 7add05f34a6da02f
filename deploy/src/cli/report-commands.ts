import { UsageError } from '../rejected.ts'
import type { Target } from '../target/target.ts'
import { wholeNumber } from './arguments.ts'
import type { DeployCommand } from './command.ts'
import type { CommandResult } from './command-result.ts'

export interface ReportAnswers {
  errors(target: Target, remote: string | undefined, hours: number): Promise<CommandResult>
  health(target: Target, remote: string, hours: number): Promise<CommandResult>
}

interface ReportOptions {
  readonly hours: number
}

async function answerElsewhere(): Promise<never> {
  throw new UsageError('A deploy server answers this: name it by --to https://…, or in DEPLOY_TO.')
}
const ELSEWHERE: ReportAnswers = { errors: answerElsewhere, health: answerElsewhere }

export function addReportCommands(program: DeployCommand, answers = ELSEWHERE): void {
  const addCommand = (name: string): DeployCommand =>
    program.command(name).option('--hours <n>', 'back from now', wholeNumber, 24)

  addCommand('errors [remote]')
    .description('Errors of members’ pages, with the file and line in the sources')
    .answers(({ target }, remote: string | undefined, { hours }: ReportOptions) =>
      answers.errors(target, remote, hours),
    )

  addCommand('health <remote>')
    .description(
      'Health metrics of a remote: views of its versions, and how many of them went wrong',
    )
    .answers(({ target }, remote: string, { hours }: ReportOptions) =>
      answers.health(target, remote, hours),
    )
    .examples(`  $ deploy health mf-auth                     the last day
  $ deploy health mf-auth --hours 1`)
}
