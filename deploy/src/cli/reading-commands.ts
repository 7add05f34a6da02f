import { createRejection } from '../rejected.ts'
import { HTTPS_HEADERS, headerRules } from '../serve/headers.ts'
import { compositionOf } from '../site/compose.ts'
import { currentSiteRecord, readAllRecords } from '../site/record.ts'
import { readSiteStatus } from '../verbs/status.ts'
import { repairSite, verifySite } from '../verbs/verify.ts'
import { wholeNumber } from './arguments.ts'
import type { DeployCommand } from './command.ts'
import { jsonText } from './command-result.ts'
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
      const { problems, files } = await verifySite(context.target)
      const ok = problems.length === 0
      const text = verifyText(files, problems)
      return { json: { ok, files, problems }, text, exitCode: ok ? 0 : 1 }
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
