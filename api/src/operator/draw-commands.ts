import { DRAWS, STAGES } from '@anniversary/shared/contract/event'
import type { Command } from 'commander'
import { namedStatement, type Queryable, rowOf } from '../database/database.ts'
import { readDrawLists, removeDrawList, writeDrawList } from '../draws/draw-lists.ts'
import { lockDrawResults } from '../draws/import-draw.ts'
import { stageEndTime } from '../missions/stages.ts'
import { eventTimeText } from '../server/event-time.ts'
import { applyCorrection } from './apply-correction.ts'
import type { Change } from './audit.ts'
import { reasonOption, runOnDatabase } from './command.ts'
import { csvExportKinds } from './exports.ts'
import { formatNumber } from './member-report.ts'

/** Time for claims that came before a stage's end. */
const CLAIM_GRACE_MS = 60_000

const countUndecided = rowOf<{ count: number }, [stage: number]>(
  `SELECT count(*)::int AS count FROM (${csvExportKinds.review.query}) x WHERE x.stage <= $1`,
)

const countResults = rowOf<{ count: number }, [draw: number]>(
  'SELECT count(*)::int AS count FROM draw_result WHERE draw = $1',
)

const hasResults = async (tx: Queryable, draw: number): Promise<boolean> =>
  ((await countResults(tx, draw))?.count ?? 0) > 0

export function findDrawResult(typed: string | number) {
  const draw = DRAWS.find(({ stage }) => String(stage) === String(typed))
  if (!draw) throw new Error(`there is no draw ${typed}; draws are 1 to ${DRAWS.length}`)
  return draw
}

async function freezeProblem(tx: Queryable, draw: number, at: Date): Promise<string | undefined> {
  const list = (await readDrawLists(tx)).find((one) => one.draw === draw)
  if (list)
    return `the list of draw ${draw} is frozen since ${list.frozenAt}, digest ${list.sha256}; "draw unfreeze ${draw}" first`

  const stages = STAGES.filter(({ number }) => number <= draw)
  const from = new Date(Math.max(...stages.map(stageEndTime)) + CLAIM_GRACE_MS)
  if (at < from)
    return `tickets of stage ${draw} can still be claimed; freeze it from ${eventTimeText(from)} on`

  const start = new Date(findDrawResult(draw).start)
  if (at >= start)
    return `draw ${draw} has begun at ${eventTimeText(start)} without a list: import its results with --without-list REASON`

  if (await hasResults(tx, draw))
    return `draw ${draw} has results already; "undo-draw" them first, or leave the draw without a list`

  const undecided = (await countUndecided(tx, draw))?.count ?? 0
  if (undecided > 0)
    return `${formatNumber(undecided)} claimed missions wait for a decision: "export review", then "void", "ban" or "keep" each`

  if (draw > 1 && !(await hasResults(tx, draw - 1)))
    return `draw ${draw - 1} has no results yet, and its winners must not win again: "import draw FILE" first`
  return undefined
}

/** Later claims wait only until this returns. */
async function awaitClaims(tx: Queryable): Promise<void> {
  for (const text of [
    'SAVEPOINT before_claims',
    'LOCK TABLE ticket IN SHARE MODE',
    'ROLLBACK TO SAVEPOINT before_claims',
  ])
    await tx.query(namedStatement(text))
}

export async function freezeDraw(
  tx: Queryable,
  { site, draw, at }: { site: string; draw: number; at: Date },
): Promise<Change> {
  // Imports of results and other freezes wait.
  await lockDrawResults(tx)
  await awaitClaims(tx)
  const problem = await freezeProblem(tx, draw, at)
  if (problem) throw new Error(problem)
  return { subject: `draw ${draw}`, detail: await writeDrawList(tx, site, draw, at) }
}

export async function unfreezeDraw(
  tx: Queryable,
  { draw, at }: { draw: number; at: Date },
): Promise<Change> {
  await lockDrawResults(tx)
  const start = new Date(findDrawResult(draw).start)
  if (at >= start)
    throw new Error(`draw ${draw} has begun at ${eventTimeText(start)}: its list stays as it is`)
  if (await hasResults(tx, draw))
    throw new Error(`draw ${draw} has results already; "undo-draw" them first`)
  const removed = await removeDrawList(tx, draw)
  if (!removed) throw new Error(`the list of draw ${draw} is not frozen`)
  return { subject: `draw ${draw}`, detail: { ...removed } }
}

export function addDrawCommands(program: Command): void {
  const group = program.command('draw').description("freezes a draw's list of tickets")

  group
    .command('freeze <draw>')
    .description(
      "writes the draw's list: valid tickets of its stage and earlier ones that have not won. Its digest is public at once, the list itself from the draw's begin",
    )
    .addOption(reasonOption())
    .action(
      runOnDatabase(async ({ name, config, database, now }, typed: string, { reason }) => {
        const draw = findDrawResult(typed).stage
        const { detail } = await applyCorrection(
          database,
          (tx) => freezeDraw(tx, { site: config.site, draw, at: now() }),
          { who: name, what: 'freeze', why: reason },
        )
        console.log(`draw ${draw} is frozen: ${JSON.stringify(detail)}`)
      }),
    )

  group
    .command('unfreeze <draw>')
    .description("removes a draw's list before the draw begins, so that it can be frozen anew")
    .addOption(reasonOption().makeOptionMandatory())
    .action(
      runOnDatabase(async ({ name, database, now }, typed: string, { reason }) => {
        const draw = findDrawResult(typed).stage
        const by = { who: name, what: 'unfreeze', why: reason }
        await applyCorrection(database, (tx) => unfreezeDraw(tx, { draw, at: now() }), by)
        console.log(`the list of draw ${draw} is removed; freeze it anew before the draw`)
      }),
    )
}
