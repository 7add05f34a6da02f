import { stripVTControlCharacters, styleText } from 'node:util'
import { errorMessage } from '@anniversary/shared/error-message'
import type { Plan } from '../canary/plan.ts'
import { ago, planText, silenceText } from '../format.ts'
import { type Problem, Rejected } from '../rejected.ts'
import type { Outcome } from '../site/change.ts'
import type { SiteRecord } from '../site/record.ts'
import { HOST_NAME, versionFolder } from '../site/version-folders.ts'
import type { Difference } from '../verbs/diff.ts'
import { type Context, UsageError } from './context.ts'

/*
 * Answers for people and, with --json, for pipelines. `styleText` adds colours only where the terminal shows them.
 */

export function say(line = ''): void {
  process.stdout.write(`${line}\n`)
}

export const printJson = (value: unknown): void => say(JSON.stringify(value, null, 2))

export function printOutcome(
  { json, dryRun }: Context,
  { record: { number }, summary, changed, warnings }: Outcome,
  milliseconds: number,
): void {
  if (json) {
    printJson({ ok: true, changed, dryRun, number, summary, warnings, milliseconds })
    return
  }
  for (const warning of warnings) say(`${styleText('yellow', '!')} ${warning}`)
  if (changed) {
    say(`${dryRun ? styleText('cyan', '~') : styleText('green', '✓')} ${summary}`)
    const live = `composition ${number}, live after ${(milliseconds / 1000).toFixed(1)} s`
    say(styleText('dim', dryRun ? `  dry run: this would be composition ${number}` : `  ${live}`))
  } else say(`${styleText('cyan', '=')} ${summary}: the site is so already, nothing was changed`)
}

/** @returns the exit code */
export function printFailure(error: unknown, json: boolean): number {
  const problems = error instanceof Rejected ? error.problems : []
  const message = errorMessage(error)
  const usage = error instanceof UsageError
  if (json) {
    printJson({ ok: false, error: problems.length > 0 ? 'refused' : message, problems })
    return usage ? 2 : 1
  }
  if (problems.length > 0) {
    process.stderr.write(`${styleText('red', '✗')} Refused; nothing was changed.\n`)
    for (const problem of problems) process.stderr.write(`${problemLines(problem)}\n`)
  } else process.stderr.write(`${styleText('red', '✗')} ${message}\n`)
  return usage ? 2 : 1
}

const problemLines = ({ rule, about, found, todo }: Problem): string =>
  `\n  ${styleText('bold', about)} ${styleText('dim', `(${rule})`)}\n    found  ${found}\n    do     ${todo}`

export function printProblems(problems: readonly Problem[]): void {
  for (const problem of problems) say(problemLines(problem))
}

/** Pads each column to its widest cell, not counting colours. No line ends in spaces. */
export function table(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => width(row[column] ?? ''))))
  for (const row of rows) {
    const last = row.findLastIndex((cell) => width(cell) > 0)
    const padded = row.map((cell, column) =>
      column < last ? cell + ' '.repeat((widths[column] ?? 0) - width(cell)) : cell,
    )
    say(padded.slice(0, last + 1).join('  '))
  }
}

const width = (cell: string): number => stripVTControlCharacters(cell).length

export function printStatus(
  record: SiteRecord,
  plans: Readonly<Record<string, Plan>>,
  url: string,
  now: Date,
): void {
  const { number, createdAt, shell, remotes, change, builds } = record
  function commitOf(name: string, version: string): string {
    const { commit, dirty } = builds?.[versionFolder(name, version)]?.origin ?? {}
    return commit ? `${commit.slice(0, 9)}${dirty ? ' with changes' : ''}` : '-'
  }
  say(
    `${styleText('bold', url)}  composition ${number}, ${ago(createdAt, now)} by ${change.by} (${change.verb})`,
  )
  say()
  table([
    ['', 'package', 'version', 'contract', 'before', 'commit', ''].map((title) => styleText('dim', title)),
    [
      styleText('green', '●'),
      HOST_NAME,
      shell.version,
      `offers ${shell.contract}`,
      '',
      commitOf(HOST_NAME, shell.version),
      '',
    ],
    ...Object.entries(remotes).map(([name, { status, current, previous, canary }]) => [
      status === 'on' ? styleText('green', '●') : styleText('red', '○'),
      name,
      current.version,
      current.contract,
      styleText('dim', previous?.version ?? '-'),
      commitOf(name, current.version),
      [
        ...(status === 'off' ? [styleText('red', 'switched off')] : []),
        ...(canary ? [styleText('yellow', `canary ${canary.release.version} for ${canary.percent} %`)] : []),
      ].join(', '),
    ]),
  ])
  for (const [name, plan] of Object.entries(plans)) {
    say(`\n${name}: ${planText(plan, now)}`)
    const silence = silenceText(name, plan, now)
    if (silence) say(styleText('red', `  ${silence}`))
  }
}

export function printOwners(owners: NonNullable<SiteRecord['owners']>, root: string | null): void {
  if (!root) say('This site has no owners: whoever can write to it may change it.')
  if (!root) return
  table(Object.entries(owners).map(([name, keys]) => [styleText('bold', name), keys.join(' ')]))
  say(styleText('dim', `\nFor machines that see this site for the first time: DEPLOY_ROOT=${root}`))
}

export const printHistory = (records: readonly SiteRecord[], now: Date): void =>
  table([
    ['number', 'when', 'by', 'verb', 'what'].map((title) => styleText('dim', title)),
    ...records.map(({ number, createdAt, change }) => [
      styleText('bold', String(number)),
      ago(createdAt, now),
      change.by,
      change.verb,
      change.summary,
    ]),
  ])

export function printDifferences(differences: readonly Difference[]): void {
  if (differences.length === 0) say('No difference.')
  for (const { about, what, from, to } of differences)
    say(
      `${styleText('bold', about)} ${what}: ${styleText('red', from ?? 'none')} → ${styleText('green', to ?? 'none')}`,
    )
}
