import type { Queryable } from '../database/database.ts'
import { accountKey } from '../login/credentials.ts'
import { isMissionCode } from '../missions/rules.ts'
import { openStage } from '../missions/stages.ts'
import { type Completion, completeMissions, readCompletions } from './completions.ts'
import type { BatchData, MissionCompletion } from './contract.ts'
import { lockMembersByKey } from './ledger.ts'

const keyOf = (c: { memberId: string; stage: number; mission: string }) =>
  `${c.memberId} ${c.stage} ${c.mission}`

/**
 * Stores missions that the back office has completed, in the caller's transaction. A reversed deposit does not undo a
 * completion. Member, stage and mission identify it.
 */
export async function complete(
  tx: Queryable,
  completions: readonly MissionCompletion[],
  now: Date,
): Promise<BatchData> {
  const members = await lockMembersByKey(
    tx,
    completions.map((c) => accountKey(c.username)),
  )
  const refused: BatchData['refused'] = []
  const taken: { index: number; completion: Completion }[] = []
  // Of a mission's lines in the batch the first is stored, the others are compared with it.
  const first = new Map<string, Completion>()
  for (const [index, given] of completions.entries()) {
    const memberId = members.get(accountKey(given.username))
    const at = given.completed_at === undefined ? now : new Date(given.completed_at)
    const stage = openStage(at)
    const mission = given.event_code_detail
    if (memberId === undefined) refused.push({ index, reason: 'unknown-member' })
    else if (!isMissionCode(mission)) refused.push({ index, reason: 'unknown-mission' })
    else if (!stage) refused.push({ index, reason: 'outside-stages' })
    else {
      const completion = { memberId, stage: stage.number, mission, tickets: given.tickets ?? null, at }
      if (!first.has(keyOf(completion))) first.set(keyOf(completion), completion)
      taken.push({ index, completion })
    }
  }

  const batch = [...first.values()]
  const changed = new Set((await completeMissions(tx, batch)).map(keyOf))
  const stored = new Map((await readCompletions(tx, batch)).map((row) => [keyOf(row), row.tickets]))
  let repeated = 0
  for (const { index, completion } of taken) {
    const key = keyOf(completion)
    if (changed.has(key) && first.get(key) === completion) continue
    if (completion.tickets === null || stored.get(key) === completion.tickets) repeated++
    else refused.push({ index, reason: 'conflict' })
  }
  refused.sort((a, b) => a.index - b.index)
  return { accepted: changed.size, repeated, refused }
}
