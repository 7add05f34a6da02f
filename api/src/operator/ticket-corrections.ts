import { STAGES } from '@anniversary/shared/contract/event'
import { MISSION_CODES } from '@anniversary/shared/contract/missions'
import { updateReachedMissions } from '../backoffice/derive-missions.ts'
import { rowOf } from '../database/database.ts'
import { outdatedListNote } from '../draws/draw-lists.ts'
import { lockDrawResults } from '../draws/import-draw.ts'
import { findMission } from '../missions/rules.ts'
import { type Correction, lockMemberRow, lockTicketOfCode } from './apply-correction.ts'
import { csvExportKinds } from './exports.ts'

const setVoid = rowOf<never, [code: string, isVoid: boolean]>(
  'UPDATE ticket SET voided_at = CASE WHEN $2::bool THEN now() END WHERE code = $1',
)

export const voidTicket: Correction = async (tx, [text = ''], at) => {
  await lockDrawResults(tx)
  const { code, voidedAt, draw, prize, tradedAt } = await lockTicketOfCode(tx, text)
  if (voidedAt !== null) throw new Error(`${code} is void already`)
  await setVoid(tx, code, true)
  const note = await outdatedListNote(tx, { code }, at)
  return { subject: code, detail: { draw, prize, exchanged: tradedAt, note } }
}

export const unvoidTicket: Correction = async (tx, [text = ''], at) => {
  await lockDrawResults(tx)
  const { code, voidedAt, draw, prize } = await lockTicketOfCode(tx, text)
  if (voidedAt === null) throw new Error(`${code} is not void`)
  await setVoid(tx, code, false)
  const note = await outdatedListNote(tx, { code }, at)
  return { subject: code, detail: { draw, prize, note } }
}

const removeDrawResult = rowOf<{ giftcode: string | null }, [code: string]>(
  'DELETE FROM draw_result WHERE ticket_code = $1 RETURNING giftcode',
)

export const undoDrawResult: Correction = async (tx, [text = ''], at) => {
  await lockDrawResults(tx)
  const { code, draw, prize, tradedAt, deliveredAt } = await lockTicketOfCode(tx, text)
  if (draw === null) throw new Error(`${code} has not won`)
  if (deliveredAt !== null)
    throw new Error(`the prize of ${code} was handed over at ${deliveredAt}; "undeliver" first`)
  if (tradedAt !== null)
    throw new Error(
      `the prize of ${code} was exchanged at ${tradedAt}; "void" keeps it out of the lists`,
    )
  const removed = await removeDrawResult(tx, code)
  const note = await outdatedListNote(tx, { code }, at)
  return { subject: code, detail: { draw, prize, ...removed, note } }
}

const addDelivery = rowOf<never, [code: string, at: Date]>(
  'INSERT INTO delivery (ticket_code, delivered_at) VALUES ($1, $2)',
)
const removeDelivery = rowOf<never, [code: string]>('DELETE FROM delivery WHERE ticket_code = $1')

export const deliverPrize: Correction = async (tx, [text = ''], at) => {
  const { code, draw, prize, isGiftcode, deliveredAt } = await lockTicketOfCode(tx, text)
  if (draw === null) throw new Error(`${code} has not won`)
  if (isGiftcode) throw new Error(`${code} has won a gift code, which its member exchanges`)
  if (deliveredAt !== null) throw new Error(`the prize was handed over at ${deliveredAt} already`)
  await addDelivery(tx, code, at)
  return { subject: code, detail: { draw, prize } }
}

export const undeliverPrize: Correction = async (tx, [text = '']) => {
  const { code, deliveredAt } = await lockTicketOfCode(tx, text)
  if (deliveredAt === null) throw new Error(`no prize of ${code} was handed over`)
  await removeDelivery(tx, code)
  return { subject: code, detail: { deliveredAt } }
}

/** The ledger or the proof decides again. */
const removeCompletion = rowOf<
  { reachedAt: string; claimedAt: string | null },
  [memberId: string, stage: number, mission: string]
>(
  `UPDATE member_mission mm SET reached_by =
     CASE WHEN mm.proof IS NULL THEN 'activity' ELSE 'proof' END,
     tickets = CASE WHEN mm.claimed_at IS NULL THEN m.tickets ELSE mm.tickets END
   FROM mission m
   WHERE mm.member_id = $1 AND mm.stage = $2 AND mm.mission = $3
     AND mm.reached_by = 'completed' AND m.code = mm.mission
   RETURNING event_time(mm.reached_at) AS "reachedAt", event_time(mm.claimed_at) AS "claimedAt"`,
)

export const undoCompletion: Correction = async (
  tx,
  [account = '', mission = '', stageText = ''],
  at,
) => {
  const { id } = await lockMemberRow(tx, account)
  if (!findMission(mission))
    throw new Error(`there is no mission ${mission}; there are ${MISSION_CODES.join(', ')}`)
  const stage = STAGES.find(({ number }) => String(number) === stageText)?.number
  const removed = stage && (await removeCompletion(tx, id, stage, mission))
  if (!removed)
    throw new Error(
      `the back office has completed no ${mission} of ${account} in stage ${stageText}`,
    )
  await updateReachedMissions(tx, [id], at)
  return { memberId: id, detail: { mission, stage, ...removed } }
}

/**
 * Its audit row lets the back office complete the mission again (complete.ts).
 */
export const allowCompletion: Correction = async (
  tx,
  [account = '', mission = '', stageText = ''],
) => {
  const { id } = await lockMemberRow(tx, account)
  const stage = STAGES.find(({ number }) => String(number) === stageText)?.number
  if (!stage || !findMission(mission))
    throw new Error(`there is no mission ${mission} in a stage ${stageText}`)
  return { memberId: id, detail: { mission, stage } }
}

const findReview = rowOf<object, [memberId: string, stage: string, mission: string]>(
  `SELECT FROM (${csvExportKinds.review.query}) x
   WHERE x.member_id = $1 AND x.stage::text = $2 AND x.mission = $3`,
)

/** Its audit row takes the mission out of the review (rules.ts). */
export const keepTickets: Correction = async (tx, [account = '', mission = '', stage = '']) => {
  const { id } = await lockMemberRow(tx, account)
  if (!(await findReview(tx, id, stage, mission)))
    throw new Error(
      `"export review" has no ${mission} of ${account} in stage ${stage} to decide about`,
    )
  return { memberId: id, detail: { mission, stage: Number(stage) } }
}
