import { errorCode } from '@anniversary/shared/error-code'
import { errorMessage } from '@anniversary/shared/error-message'
import { Command } from 'commander'
import type { ClientBase } from 'pg'
import { versionText } from '../build-info.ts'
import { parseTicketCode } from '../claim/ticket-code.ts'
import { isDatabaseAway } from '../database/database.ts'
import { LOCK_NOT_AVAILABLE, migrate } from '../database/migrate.ts'
import { openDatabase } from '../database/open.ts'
import { accountKey, pseudonymKey } from '../login/credentials.ts'
import { readConfig } from '../server/config.ts'
import { readAudit } from './audit.ts'
import { onDatabase } from './command.ts'
import { addCorrections } from './corrections.ts'
import { addFileCommands } from './file-commands.ts'
import { changeText, memberReport, numberText, plural } from './member-report.ts'
import { countContent, verify } from './verify.ts'

const WRONG_USAGE = 2

const program = new Command('event')
  .version(versionText)
  .description(
    "The operator's commands. They read the same variables as the server; OPERATOR says who you are in the audit.",
  )
  .addHelpText('after', '\nEnds with 0 when done, 1 when refused or broken, 2 when typed wrongly.')
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : WRONG_USAGE))

program
  .command('show <account>')
  .description(
    'everything about a member: missions and what they lack, tickets, refused claims, sessions, locks',
  )
  .action(
    onDatabase(async ({ database }, account: string) => {
      for (const line of await memberReport(database, account)) console.log(line)
    }),
  )

program
  .command('audit [account-or-code]')
  .description('the newest 100 changes by operators; "export audit" writes all')
  .action(
    onDatabase(async ({ database }, about?: string) => {
      // An account may look like a code.
      const names = about && [parseTicketCode(about), accountKey(about), pseudonymKey(about)]
      const rows = await readAudit(database, names || null)
      for (const row of rows) console.log(changeText(row))
    }),
  )

program
  .command('verify')
  .description('recounts every invariant; ends with 1 at the first broken one')
  .action(
    onDatabase(async ({ database }) => {
      const isSound = await verify(database, ({ invariant, broken, examples }) => {
        console.log(broken === 0 ? `ok      ${invariant}` : `BROKEN  ${invariant}: ${numberText(broken)}`)
        for (const example of examples) console.log(`          ${example}`)
      })
      const { members = 0, tickets = 0, events = 0, review = 0 } = (await countContent(database)) ?? {}
      console.log(
        `checked ${plural(members, 'member')}, ${plural(tickets, 'ticket')}, ${plural(events, 'event')} of the ledger`,
      )
      if (review > 0)
        console.log(
          `${plural(review, 'claimed mission')} no longer reached by the ledger: see "export review"`,
        )
      if (!isSound) process.exitCode = 1
    }),
  )

program
  .command('migrate')
  .description("brings the schema up to date, as the tables' owner; so does each start of the API")
  .action(async () => {
    const prepare = async (client: ClientBase) => {
      for (const name of await migrate(client)) console.log(`applied ${name}`)
      console.log('the schema is up to date')
    }
    await (await openDatabase(readConfig(process.env), console.error, { prepare })).close()
  })

addCorrections(program)
addFileCommands(program)

// A reader such as `head` may leave before the end; that is no failure.
process.stdout.on('error', (error) => process.exit(errorCode(error) === 'EPIPE' ? 0 : 1))

program.parseAsync().catch((error: unknown) => {
  // Of a file that a person named.
  const isMistyped = /^E(NOENT|NOTDIR|ISDIR|ACCES)$/.test(errorCode(error) ?? '')
  const isAway = error instanceof Error && isDatabaseAway(error)
  const isLocked = errorCode(error) === LOCK_NOT_AVAILABLE
  console.error(
    isLocked
      ? 'the database is busy: others hold what this command needs; nothing of this step was changed, try again'
      : isAway
        ? `the database is away or held up by others (${error.message}); see by "audit" or "show" what was done, then repeat the command`
        : errorMessage(error) +
          (isMistyped ? '; check the path: a relative one begins where you typed the command' : ''),
  )
  process.exitCode = 1
})
