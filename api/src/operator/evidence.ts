import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { buildVersionText } from '../build-info.ts'
import type { Database } from '../database/database.ts'
import { readDrawLists, readListFile } from '../draws/draw-lists.ts'
import { fromHere, recordOutcome, runOnDatabase } from './command.ts'
import { findDrawResult } from './draw-commands.ts'
import { csvLines } from './exports.ts'
import { digestFile } from './file-digest.ts'
import { findingText, verifyInvariants } from './verify.ts'

/** None has a name, digits or a gift code; members are numbers. */
const tables = (draw: number) =>
  ({
    'excluded.csv': {
      columns: ['code', 'reason'],
      query: `SELECT code, reason FROM draw_exclusion WHERE draw = ${draw} ORDER BY code COLLATE "C"`,
    },
    'results.csv': {
      columns: ['code', 'draw', 'prize', 'kind', 'handed_over'],
      query: `SELECT d.ticket_code AS code, d.draw, d.prize,
          CASE WHEN d.giftcode IS NULL THEN 'handed over' ELSE 'gift code' END AS kind,
          event_time(coalesce(v.delivered_at, g.traded_at)) AS handed_over
        FROM draw_result d LEFT JOIN delivery v USING (ticket_code)
        LEFT JOIN giftcode_trade g USING (ticket_code)
        WHERE d.draw <= ${draw} ORDER BY d.draw, d.ticket_code COLLATE "C"`,
    },
    'later-changes.csv': {
      columns: ['code', 'position', 'void_since', 'banned_since'],
      query: `SELECT e.code, e.position, event_time(t.voided_at) AS void_since,
        event_time(m.banned_at) AS banned_since
        FROM draw_entry e LEFT JOIN ticket t USING (code)
        LEFT JOIN member m ON m.id = t.member_id
        WHERE e.draw = ${draw}
          AND (t.code IS NULL OR t.voided_at IS NOT NULL OR m.banned_at IS NOT NULL)
        ORDER BY e.position`,
    },
    'audit.csv': {
      columns: ['at', 'who', 'what', 'member', 'subject', 'why', 'detail'],
      query: `SELECT event_time(at) AS at, who, what, member_id AS member, subject, why,
        detail - 'giftcode' AS detail
        FROM audit ORDER BY id`,
    },
  }) as const

const README = `# Evidence of a draw

list.txt is the file whose SHA-256 the event's site showed from the freeze on: five lines that say what it is, then the codes
that took part. excluded.csv has the codes that the freeze left out, with reasons; results.csv the winners of this draw and of
those before; later-changes.csv the listed codes that became void or banned after the freeze; audit.csv what operators did,
with the SHA-256 of each imported file; verify.txt how the server recounts its own invariants. No file names a member.

You need sha256sum, sort, comm, awk and the digests that were given to you apart from this folder: that of the list, which
the site showed, and that of SHA256SUMS, which the command printed. Set both, then run each block in this folder. A block that
prints nothing but "ok" lines has found nothing wrong.

\`\`\`sh
: "\${LIST:?the digest that the site showed}" "\${SUMS:?the digest of SHA256SUMS}"
echo "$SUMS  SHA256SUMS" | sha256sum --check --strict
sha256sum --check --strict --quiet SHA256SUMS && echo 'ok: no file has changed'
echo "$LIST  list.txt" | sha256sum --check --strict
\`\`\`

The codes are in order, each once, and as many as the head says. The server found nothing broken:

\`\`\`sh
export LC_ALL=C
tail -n +6 list.txt | sort --check --unique && echo 'ok: sorted, each code once'
awk -F': ' '$1 == "count" { said = $2 } END { print (NR - 5 == said ? "ok: " : "WRONG: not ") said " codes" }' list.txt
tail -n +2 verify.txt | grep -v '^ok ' || echo 'ok: the server found nothing broken'
\`\`\`

No left out code is in the list, and every winner of this draw is. A listed code that has won an earlier draw is right only where
an import after the freeze names it, in audit.csv under inLaterLists:

\`\`\`sh
export LC_ALL=C
empty() { test -z "$2" && echo "ok: no code $1" || echo "WRONG: a code $1:" $2; }
tail -n +6 list.txt > /tmp/list.$$
awk -F, 'NR > 1 { print $1 }' excluded.csv | sort > /tmp/excluded.$$
draw=$(awk -F': ' '$1 == "draw" { print $2 }' list.txt)
awk -F, -v draw="$draw" 'NR > 1 && $2 == draw { print $1 }' results.csv | sort > /tmp/won.$$
awk -F, -v draw="$draw" 'NR > 1 && $2 < draw { print $1 }' results.csv | sort > /tmp/before.$$
empty 'is in the list and left out' "$(comm -12 /tmp/list.$$ /tmp/excluded.$$)"
empty 'in the list has won an earlier draw' "$(comm -12 /tmp/list.$$ /tmp/before.$$)"
empty 'has won and is not in the list' "$(comm -13 /tmp/list.$$ /tmp/won.$$)"
empty 'has won twice' "$(uniq -d /tmp/won.$$)"
rm /tmp/list.$$ /tmp/excluded.$$ /tmp/won.$$ /tmp/before.$$
\`\`\`

This shows that the list did not change after the freeze and that only its codes won. It does not show how the drum chose.
`

/**
 * @returns the SHA-256 of the list and of SHA256SUMS, which binds all files, and
 * the finding of what is broken
 */
export async function writeEvidence(
  database: Database,
  draw: number,
  folder: string,
): Promise<{ list: string; sums: string; broken: string | undefined }> {
  const list = (await readDrawLists(database)).find((one) => one.draw === draw)
  const file = list && (await readListFile(database, draw))
  if (!file) throw new Error(`draw ${draw} has no frozen list, so there is nothing to prove`)
  await mkdir(folder, { recursive: true })

  await pipeline(Readable.from(file), createWriteStream(join(folder, 'list.txt')))
  const csvs = tables(draw)
  for (const [name, table] of Object.entries(csvs))
    await database.transaction((tx) =>
      pipeline(csvLines(tx, name, table), createWriteStream(join(folder, name))),
    )

  const findings: string[] = []
  await verifyInvariants(database, (finding) => {
    findings.push(findingText(finding))
  })
  const lines = [buildVersionText, ...findings, '']
  await writeFile(join(folder, 'verify.txt'), lines.join('\n'))
  await writeFile(join(folder, 'README.md'), README)

  const names = ['README.md', 'list.txt', 'verify.txt', ...Object.keys(csvs)].sort()
  const sums: string[] = []
  for (const name of names) sums.push(`${await digestFile(join(folder, name))}  ${name}\n`)
  await writeFile(join(folder, 'SHA256SUMS'), sums.join(''))
  return {
    list: list.sha256,
    sums: await digestFile(join(folder, 'SHA256SUMS')),
    broken: findings.find((line) => line.startsWith('BROKEN')),
  }
}

export function addEvidenceCommand(program: Command): void {
  program
    .command('evidence <draw>')
    .description('writes a folder by which a stranger recounts a draw without this software')
    .requiredOption('--out <folder>', 'where to write it')
    .action(
      runOnDatabase(async (operator, typed: string, { out }: { out: string }, command: Command) => {
        const folder = fromHere(out)
        const draw = findDrawResult(typed).stage
        const { list, sums, broken } = await recordOutcome(operator, command, () =>
          writeEvidence(operator.database, draw, folder),
        )
        console.log(`evidence of draw ${draw}: ${folder}`)
        console.log(`give these apart from it: LIST=${list} SUMS=${sums}`)
        if (broken) {
          console.error(`${broken}; "event verify" names examples`)
          process.exitCode = 1
        }
      }),
    )
}
