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

const [account, code] = ['<account>', '<code>']

/** What is put right by hand. */
export const corrections: readonly OperatorCommand[] = [
  change(`unlock ${account}`, "forgets a member's failed logins", (tx, [name = '']) => unlock(tx, name), {
    needsReason: false,
  }),
  change(`logout ${account}`, 'ends every session of a member', (tx, [name = '']) => logout(tx, name), {
    needsReason: false,
  }),
  change(
    `ban ${account}`,
    "refuses a member's calls and keeps the member's tickets out of draws and prizes",
    (tx, [name = '']) => ban(tx, name),
  ),
  change(`unban ${account}`, 'takes a ban back', (tx, [name = '']) => unban(tx, name), {
    needsReason: false,
  }),
  change(
    `void ${code}`,
    'keeps a ticket out of draws and prizes; it stays one of the six of its stage',
    (tx, [text = '']) => voidTicket(tx, text),
  ),
  change(`unvoid ${code}`, 'takes a void back', (tx, [text = '']) => unvoidTicket(tx, text), {
    needsReason: false,
  }),
  change(
    `undo-completion ${account} <mission> <stage>`,
    "takes a back office's completion back; a claimed mission keeps its tickets and is marked for review",
    (tx, [name = '', mission = '', stage = ''], at) => undoCompletion(tx, [name, mission, stage], at),
  ),
  change(
    `undo-draw ${code}`,
    'takes a line of a draw import back, unless its prize was exchanged',
    (tx, [text = '']) => undoDraw(tx, text),
  ),
  change(
    'undo-reversal <source> <ref>',
    'makes a reversal of the ledger count no more',
    (tx, [source = '', ref = ''], at) => undoReversal(tx, [source, ref], at),
  ),
]
