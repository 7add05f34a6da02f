import {
  ban,
  logout,
  unban,
  undoCompletion,
  undoDraw,
  undoReversal,
  unlock,
  unvoidTicket,
  voidTicket,
} from '../use-cases/corrections.ts'
import { change, type OperatorCommand } from './command.ts'

/** A reason may be left out. */
const harmless = { needsReason: false }

/** What is put right by hand. */
export const corrections: readonly OperatorCommand[] = [
  change('unlock <account>', "forgets a member's failed logins", unlock, harmless),
  change('logout <account>', 'ends every session of a member', logout, harmless),
  change(
    'ban <account>',
    "refuses a member's calls and keeps the member's tickets out of draws and prizes",
    ban,
  ),
  change('unban <account>', 'takes a ban back', unban, harmless),
  change(
    'void <code>',
    'keeps a ticket out of draws and prizes; it stays one of the six of its stage',
    voidTicket,
  ),
  change('unvoid <code>', 'takes a void back', unvoidTicket, harmless),
  change(
    'undo-completion <account> <mission> <stage>',
    "takes a back office's completion back; a claimed mission keeps its tickets and is marked for review",
    undoCompletion,
  ),
  change('undo-draw <code>', 'takes a line of a draw import back, unless its prize was exchanged', undoDraw),
  change('undo-reversal <source> <ref>', 'makes a reversal of the ledger count no more', undoReversal),
]
