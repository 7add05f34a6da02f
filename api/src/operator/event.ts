import { randomBytes } from 'node:crypto'
import { errorCode } from '@anniversary/shared/error-code'
import { errorMessage } from '@anniversary/shared/error-message'
import { readTicketCode } from '@anniversary/shared/readers/ticket-code'
import { Command, InvalidArgumentError } from 'commander'
import type { ClientBase } from 'pg'
import { buildVersionText } from '../build-info.ts'
import { isDatabaseAway } from '../database/database.ts'
import { LOCK_NOT_AVAILABLE, migrateSchema } from '../database/migrate.ts'
import { openDatabase } from '../database/open.ts'
import { operatorAccountKeys } from '../login/credentials.ts'
import { readConfiguration } from '../server/config.ts'
import { hashDeskToken, isDeskName } from '../server/desk-access.ts'
import { readAuditRows } from './audit.ts'
import { runOnDatabase } from './command.ts'
import { addCorrections } from './corrections.ts'
import { addDrawCommands } from './draw-commands.ts'
import { addEvidenceCommand } from './evidence.ts'
import { addFileCommands } from './file-commands.ts'
import { addLedgerLineCommand } from './ledger-line.ts'
import { countText, formatAuditChange, memberReport } from './member-report.ts'
import { addRecountCommand } from './recount-goals.ts'
import { countContent, findingText, verifyInvariants } from './verify.ts'

const WRONG_USAGE = 2

const program = new Command('event')
  .version(buildVersionText)
  .description(
    "Commands for the event's operator. They read the server's variables; OPERATOR is your name in the audit.",
  )
  .addHelpText('after', '\nExit codes: 0 done, 1 refused or failed, 2 wrong usage.')
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : WRONG_USAGE))

program
  .command('show <account-or-code>')
  .description(
    'prints what is known about a member, or the owner of a code: missions, tickets, prizes, refused claims, sessions, locks',
  )
  .action(
    runOnDatabase(async ({ database }, account: string) => {
      for (const line of await memberReport(database, account)) console.log(line)
    }),
  )

program
  .command('audit [account-or-code]')
  .description(
    'prints the newest 100 changes by operators; "export audit" writes all, and the looks of the desk',
  )
  .action(
    runOnDatabase(async ({ database }, about?: string) => {
      // An account may have the form of a code.
      const names = about ? [readTicketCode(about), ...operatorAccountKeys(about)] : null
      const rows = await readAuditRows(database, names)
      for (const row of rows) console.log(formatAuditChange(row))
    }),
  )

program
  .command('verify')
  .description('recounts every invariant; stops with exit code 1 at the first broken one')
  .action(
    runOnDatabase(async ({ database }) => {
      const isSound = await verifyInvariants(database, (finding) => {
        console.log(findingText(finding))
        for (const example of finding.examples) console.log(`          ${example}`)
      })
      const {
        members = 0,
        tickets = 0,
        events = 0,
        review = 0,
        unmatched = 0,
        unmatchedLine,
      } = (await countContent(database)) ?? {}
      console.log(
        `checked ${countText(members, 'member')}, ${countText(tickets, 'ticket')}, ${countText(events, 'event')} of the ledger`,
      )
      if (review > 0)
        console.log(`${countText(review, 'claimed mission')} to decide about: see "export review"`)
      if (unmatched > 0)
        console.log(
          `${countText(unmatched, 'reversal')} whose event the back office has not sent, such as ${unmatchedLine}`,
        )
      if (!isSound) process.exitCode = 1
    }),
  )

program
  .command('migrate')
  .description("brings the schema up to date, as the tables' owner; so does each start of the API")
  .action(async () => {
    const prepare = async (client: ClientBase) => {
      for (const name of await migrateSchema(client)) console.log(`applied ${name}`)
      console.log('the schema is up to date')
    }
    await (await openDatabase(readConfiguration(process.env), console.error, { prepare })).close()
  })

function deskName(typed: string): string {
  if (isDeskName(typed)) return typed
  throw new InvalidArgumentError(
    'It must have 1 to 64 unaccented letters, digits, ".", "_" or "-", as in lan-anh.',
  )
}

program
  .command('desk-token')
  .description('makes a token for the support desk, and the entry of DESK_ACCESS that admits it')
  .argument('<name>', 'names its user in the audit', deskName)
  .action((name: string) => {
    const token = randomBytes(32).toString('base64url')
    console.log(`token, for ${name} alone: ${token}`)
    console.log(`add to DESK_ACCESS, then restart the API: ${name}:${hashDeskToken(token)}`)
  })

addCorrections(program)
addDrawCommands(program)
addRecountCommand(program)
addFileCommands(program)
addEvidenceCommand(program)
addLedgerLineCommand(program)

process.stdout.on('error', (error) => {
  // A reader such as `head` may close the pipe early.
  if (errorCode(error) === 'EPIPE') process.exit(0)
  console.error(
    `the output could not be written (${errorMessage(error)}); "event audit" says what was done`,
  )
  process.exit(1)
})

function failureText(error: unknown): string {
  const message = errorMessage(error)
  if (errorCode(error) === LOCK_NOT_AVAILABLE)
    return 'the database is busy: others hold a lock that this command needs; try again'
  if (isDatabaseAway(error))
    return `the database does not answer (${message}); check with "audit" or "show" what was done, then repeat the command`

  // The operator named the file.
  const isMistyped = /^E(NOENT|NOTDIR|ISDIR|ACCES)$/.test(errorCode(error) ?? '')
  if (!isMistyped) return message
  return `${message}; check the path, which is relative to where you typed the command`
}

program.parseAsync().catch((error: unknown) => {
  console.error(failureText(error))
  process.exitCode = 1
})
