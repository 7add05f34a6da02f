import type { Command } from 'commander'
import { readLoginKeys } from '../server/pepper.ts'
import { applyCorrection, type Correction } from './apply-correction.ts'
import { reasonOption, runOnDatabase } from './command.ts'
import {
  banMember,
  closeEvent,
  forgetMember,
  logOutMember,
  unbanMember,
  unlockMember,
} from './member-corrections.ts'
import {
  allowCompletion,
  deliverPrize,
  keepTickets,
  undeliverPrize,
  undoCompletion,
  undoDrawResult,
  unvoidTicket,
  voidTicket,
} from './ticket-corrections.ts'

export function addCorrections(program: Command): void {
  const add = (usage: string, about: string, apply: Correction, needsReason = true) => {
    const command = program
      .command(usage)
      .description(about)
      .addOption(reasonOption().makeOptionMandatory(needsReason))
    command.action(
      runOnDatabase(async ({ name, config, database, now }) => {
        const what = command.name()
        const by = { who: name, what, why: command.opts().reason }
        const { detail } = await applyCorrection(
          database,
          (tx) => apply(tx, command.args, now(), () => readLoginKeys(tx, config.loginPepper), name),
          by,
        )
        console.log(
          [what, ...command.args, 'done', detail && JSON.stringify(detail)]
            .filter(Boolean)
            .join(' '),
        )
      }),
    )
  }
  add('unlock <account>', "removes a member's failed logins and locks", unlockMember, false)
  add('logout <account>', 'ends every session of a member', logOutMember, false)
  add(
    'ban <account>',
    "refuses a member's calls and keeps the member's tickets out of draws and prizes",
    banMember,
  )
  add('unban <account>', 'lifts a ban', unbanMember, false)
  add(
    'void <code>',
    'keeps a ticket out of draws and prizes; it stays one of the six of its stage',
    voidTicket,
  )
  add('unvoid <code>', 'makes a void ticket valid again', unvoidTicket, false)
  add(
    'undo-completion <account> <mission> <stage>',
    'removes a completion by the back office; a claimed mission keeps its tickets and is marked for review, unless activity or a proof reaches it',
    undoCompletion,
  )
  add(
    'keep <account> <mission> <stage>',
    'decides that a mission of "export review" keeps its tickets',
    keepTickets,
  )
  add(
    'allow-completion <account> <mission> <stage>',
    'lets the back office complete a mission again that "undo-completion" took back',
    allowCompletion,
  )
  add('deliver <code>', 'notes that a prize was handed over', deliverPrize)
  add('undeliver <code>', 'takes back "deliver"', undeliverPrize)
  add(
    'undo-draw <code>',
    'removes a result of a draw, unless its prize was exchanged',
    undoDrawResult,
  )
  add(
    'forget <account>',
    "removes a member's personal data for good; tickets stay under a pseudonym",
    forgetMember,
  )
  add(
    'close',
    'forgets every member, after the last day on which a prize can be claimed',
    closeEvent,
  )
}
