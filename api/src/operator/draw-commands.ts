import { DRAWS, STAGES } from '@anniversary/shared/contract/event'
import type { Command } from 'commander'
import { namedStatement, type Queryable, rowOf, rowsOf } from '../database/database.ts'
import {
  COMMIT_GRACE_MS,
  readDrawLists,
  removeDrawList,
  writeDrawList,
} from '../draws/draw-lists.ts'
import { lockDrawResults } from '../draws/import-draw.ts'
import { stageEndTime } from '../missions/stages.ts'
import { eventTimeText } from '../server/event-time.ts'
import { applyCorrection } from './apply-correction.ts'
import type { Change } from './audit.ts'
import { auditTextOption, reasonOption, runOnDatabase } from './command.ts'
import { csvExportKinds } from './exports.ts'
import { formatNumber } from './member-report.ts'

/** Time for claims that came before a stage's end. */
const CLAIM_GRACE_MS = 60_000

const countUndecided = rowOf<{ count: number }, [stage: number]>(
  `SELECT count(*)::int AS count FROM (${csvExportKinds.review.query}) x WHERE x.stage <= $1`,
)

const findEmptyDraws = rowsOf<{ draw: number }, [last: number]>(
  `SELECT draw FROM generate_series(1, $1::int) draw
   WHERE draw NOT IN (SELECT draw FROM draw_result)`,
)

const drawsWithoutResults = async (tx: Queryable, last: number): Promise<readonly number[]> =>
  (await findEmptyDraws(tx, last)).map(({ draw }) => draw)

export function findDrawResult(typed: string | number) {
  const draw = DRAWS.find(({ stage }) => String(stage) === String(typed))
  if (!draw) throw new Error(`there is no draw ${typed}; draws are 1 to ${DRAWS.length}`)
  return draw
}

function lateProblem(draw: number, at: Date, hasList: boolean): string | undefined {
  const until = new Date(Date.parse(findDrawResult(draw).start) - COMMIT_GRACE_MS)
  if (at < until) return undefined
  const over = `draw ${draw} could be frozen until ${eventTimeText(until)}`
  if (hasList) return `${over}: its list stays as it is`
  return `${over} and has no list: import its results with --without-list REASON`
}

interface Freeze {
  readonly site: string
  readonly draw: number
  /** Replaces a list that is frozen already. */
  readonly again: boolean
  /** Why earlier draws may have no results. */
  readonly withoutResults?: string | undefined
  readonly now: () => Date
}

async function freezeProblem(
  tx: Queryable,
  { draw, again, withoutResults }: Freeze,
  at: Date,
  empty: readonly number[],
): Promise<string | undefined> {
  const list = (await readDrawLists(tx)).find((one) => one.draw === draw)
  if (list && !again)
    return `the list of draw ${draw} is frozen since ${list.frozenAt}, digest ${list.sha256}; --again with a --reason replaces it`

  const stages = STAGES.filter(({ number }) => number <= draw)
  const from = new Date(Math.max(...stages.map(stageEndTime)) + CLAIM_GRACE_MS)
  if (at < from)
    return `tickets of stage ${draw} can still be claimed; freeze it from ${eventTimeText(from)} on`

  const late = lateProblem(draw, at, list !== undefined)
  if (late) return late

  if (!empty.includes(draw))
    return `draw ${draw} has results already; "undo-draw" them first, or leave the draw without a list`

  const undecided = (await countUndecided(tx, draw))?.count ?? 0
  if (undecided > 0)
    return `${formatNumber(undecided)} claimed missions wait for a decision: "export review", then "void", "ban" or "keep" each`

  if (withoutResults !== undefined) return undefined
  const earlier = empty.filter((one) => one < draw)
  if (earlier.length === 0) return undefined
  const sentences = earlier.map((one) => `draw ${one} has no results yet`)
  return `${sentences.join(', ')}, and winners must not win again: "import draw FILE" first; for draws without winners, say why with --without-results REASON`
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

export async function freezeDrawList(tx: Queryable, freeze: Freeze): Promise<Change> {
  const { site, draw, withoutResults, now } = freeze
  // Imports of results and other freezes wait.
  await lockDrawResults(tx)
  await awaitClaims(tx)
  const at = now()
  const empty = await drawsWithoutResults(tx, draw)
  const problem = await freezeProblem(tx, freeze, at, empty)
  if (problem) throw new Error(problem)

  const replaced = await removeDrawList(tx, draw)
  const written = await writeDrawList(tx, site, draw, at)
  // Writing takes seconds, and a list that anybody may have loaded stays.
  const late = lateProblem(draw, now(), replaced !== undefined)
  if (late) throw new Error(late)
  const exception = withoutResults !== undefined && {
    withoutResults: { draws: empty.filter((one) => one < draw), why: withoutResults },
  }
  return {
    subject: `draw ${draw}`,
    detail: { ...written, replaces: replaced?.sha256, ...exception },
  }
}

interface FreezeOptions {
  readonly again?: boolean
  readonly withoutResults?: string
  readonly reason?: string
}

export function addDrawCommands(program: Command): void {
  const group = program.command('draw').description("freezes a draw's list of tickets")

  group
    .command('freeze <draw>')
    .description(
      "writes the draw's list: valid tickets of its stage and earlier ones that have not won. Its digest is public at once, the list itself from the draw's begin",
    )
    .option('--again', 'replaces a list until a minute before the draw; needs --reason')
    .addOption(
      auditTextOption('--without-results <reason>', 'why earlier draws may have no results'),
    )
    .addOption(reasonOption())
    .action(
      runOnDatabase(
        async (
          { name, config, database, now },
          typed: string,
          { again = false, withoutResults, reason }: FreezeOptions,
        ) => {
          if (again && reason === undefined) throw new Error('--again needs a --reason')
          const draw = findDrawResult(typed).stage
          const { detail } = await applyCorrection(
            database,
            (tx) => freezeDrawList(tx, { site: config.site, draw, again, withoutResults, now }),
            { who: name, what: 'freeze', why: reason },
          )
          console.log(`draw ${draw} is frozen: ${JSON.stringify(detail)}`)
        },
      ),
    )
}
