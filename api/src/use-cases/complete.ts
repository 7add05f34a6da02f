import type { BatchData, BatchRefusalReason, MissionCompletedBody } from '../contract/backoffice.ts'
import type { Queryable } from '../database/database.ts'
import { lockMembersByKey } from '../repositories/activity.ts'
import { type Completion, completeMissions, readCompletions } from '../repositories/completions.ts'
import { accountKey } from '../rules/credentials.ts'
import { isMissionCode } from '../rules/missions.ts'
import { openStage } from '../rules/stages.ts'

const keyOf = (c: { memberId: string; stage: number; mission: string }) =>
  `${c.memberId} ${c.stage} ${c.mission}`

/**
 * Stores missions that the back office has completed, in the caller's transaction. A reversed deposit does not undo a
 * completion. Member, stage and mission identify it.
 */
export async function completeBatch(
  tx: Queryable,
  { completions }: MissionCompletedBody,
  now: Date,
): Promise<BatchData> {
  const members = await lockMembersByKey(tx, [...new Set(completions.map((c) => accountKey(c.username)))])
  const refused: { index: number; reason: BatchRefusalReason }[] = []
  const wanted = new Map<string, { index: number; completion: Completion }>()
  const again: { index: number; completion: Completion }[] = []

  completions.forEach((given, index) => {
    const memberId = members.get(accountKey(given.username))
    const at = given.completed_at === undefined ? now : new Date(given.completed_at)
    const stage = openStage(at)
    const mission = given.event_code_detail
    if (memberId === undefined) refused.push({ index, reason: 'unknown-member' })
    else if (!isMissionCode(mission)) refused.push({ index, reason: 'unknown-mission' })
    else if (!stage) refused.push({ index, reason: 'outside-stages' })
    else {
      const completion = { memberId, stage: stage.number, mission, tickets: given.tickets ?? null, at }
      const entry = { index, completion }
      if (wanted.has(keyOf(completion))) again.push(entry)
      else wanted.set(keyOf(completion), entry)
    }
  })

  const entries = [...wanted.values()]
  const batch = entries.map((entry) => entry.completion)
  const changed = new Set(batch.length > 0 ? (await completeMissions(tx, batch)).map(keyOf) : [])
  const rest = [...entries.filter((entry) => !changed.has(keyOf(entry.completion))), ...again]
  const known =
    rest.length > 0
      ? await readCompletions(
          tx,
          rest.map((entry) => entry.completion),
        )
      : []
  const tickets = new Map(known.map((row) => [keyOf(row), row.tickets]))

  let repeated = 0
  for (const { index, completion } of rest) {
    const isSame = completion.tickets === null || tickets.get(keyOf(completion)) === completion.tickets
    if (isSame) repeated++
    else refused.push({ index, reason: 'conflict' })
  }
  refused.sort((a, b) => a.index - b.index)
  return { accepted: changed.size, repeated, refused }
}
