import { createRejection, UsageError } from '../rejected.ts'
import { HTTPS_HEADERS, headerRules } from '../serve/headers.ts'
import { compositionOf } from '../site/compose.ts'
import { currentSiteRecord, readAllRecords } from '../site/record.ts'
import type { Target } from '../target/target.ts'
import { readSiteStatus } from '../verbs/status.ts'
import { repairSite, verifySite } from '../verbs/verify.ts'
import { wholeNumber } from './arguments.ts'
import type { DeployCommand } from './command.ts'
import { type CommandResult, jsonText } from './command-result.ts'
import { historyText, statusText, verifyText, warningText } from './text.ts'

export function addReadingCommands(program: DeployCommand): void {
  program
    .command('status')
    .description('What is live')
    .answers(async ({ target }) => {
      const { record, warnings } = await readSiteStatus(target)
      const lines = warnings.map(warningText)
      return { json: { ...record, lines }, text: statusText(record, lines, target.url) }
    })

  program
    .command('history [package]')
    .description('Who changed what, the newest first')
    .option('--limit <n>', 'at most so many', wholeNumber, 20)
    .answers(async ({ target }, name: string | undefined, { limit }: { limit: number }) => {
      await currentSiteRecord(target)
      const records = (await readAllRecords(target)).filter(
        ({ change }) => name === undefined || change.packages.includes(name),
      )
      if (records.length === 0)
        throw createRejection(
          'site',
          name ?? 'the site',
          'no composition has changed it',
          'Look at `deploy history`',
        )
      const newest = records.reverse().slice(0, limit)
      return { json: newest, text: historyText(newest) }
    })

  program
    .command('verify')
    .description(
      'Check every file of the site against its hash, and the pages against the newest composition',
    )
    .option('--repair', 'write pages and pointer anew first')
    .answers(async (context, options: { repair?: boolean }) => {
      if (options.repair) await repairSite(context)
      const { problems, files, unnamed } = await verifySite(context.target)
      const ok = problems.length === 0
      const text = verifyText(files, problems, unnamed)
      return { json: { ok, files, problems, unnamed }, text, exitCode: ok ? 0 : 1 }
    })

  program
    .command('headers')
    .description('Response headers by path, as JSON: for a CDN in front of a bucket')
    .answers(async ({ target }) => {
      const record = await currentSiteRecord(target)
      const always = headerRules(compositionOf(record), record.config)
      return { text: jsonText({ always, overHttps: HTTPS_HEADERS }) }
    })
}

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
