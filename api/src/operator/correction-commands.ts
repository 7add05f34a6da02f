import type { Command } from 'commander'
import { recordChange } from './audit.ts'
import { onDatabase, reasonOption } from './command.ts'
import {
  ban,
  type Correction,
  logout,
  unban,
  undoCompletion,
  undoDraw,
  undoReversal,
  unlock,
  unvoidTicket,
  voidTicket,
} from './corrections.ts'

const harmless = { needsReason: false }

export function addCorrections(program: Command): void {
  const add = (usage: string, about: string, apply: Correction, { needsReason = true } = {}) => {
    const command = program
      .command(usage)
      .description(about)
      .addOption(reasonOption().makeOptionMandatory(needsReason))
    command.action(
      onDatabase(async ({ name, database, now }) => {
        const what = command.name()
        const { subject, detail } = await database.transaction(async (tx) => {
          const changed = await apply(tx, command.args, now())
          await recordChange(tx, changed, { who: name, what, why: command.opts().reason })
          return changed
        })
        console.log(`${what} ${subject}: done${detail ? `  ${JSON.stringify(detail)}` : ''}`)
      }),
    )
  }
  add('unlock <account>', "forgets a member's failed logins", unlock, harmless)
  add('logout <account>', 'ends every session of a member', logout, harmless)
  add('ban <account>', "refuses a member's calls and keeps the member's tickets out of draws and prizes", ban)
  add('unban <account>', 'takes a ban back', unban, harmless)
  add(
    'void <code>',
    'keeps a ticket out of draws and prizes; it stays one of the six of its stage',
    voidTicket,
  )
  add('unvoid <code>', 'takes a void back', unvoidTicket, harmless)
  add(
    'undo-completion <account> <mission> <stage>',
    "takes a back office's completion back; a claimed mission keeps its tickets and is marked for review",
    undoCompletion,
  )
  add('undo-draw <code>', 'takes a line of a draw import back, unless its prize was exchanged', undoDraw)
  add('undo-reversal <source> <ref>', 'makes a reversal of the ledger count no more', undoReversal)
}
