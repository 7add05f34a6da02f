import { stripVTControlCharacters, styleText } from 'node:util'
import { HOST_NAME } from '../builds/read-build.ts'
import { type Plan, planProblem, planText } from '../canary/plan.ts'
import { ago } from '../facts.ts'
import type { Problem } from '../rejected.ts'
import type { SiteRecord, Verdict } from '../site/record.ts'
import type { Outcome } from '../verbs/change.ts'

export const dim = (text: string): string => styleText('dim', text)
export const bold = (text: string): string => styleText('bold', text)

export function outcomeText(
  { record: { number }, summary, changed, warnings, verdicts }: Outcome,
  dryRun: boolean,
  milliseconds: number,
): string {
  const result = changed
    ? [
        `${dryRun ? styleText('cyan', '~') : styleText('green', '✓')} ${summary}`,
        dryRun
          ? dim(`  dry run: this would be composition ${number}`)
          : dim(`  composition ${number}, live after ${(milliseconds / 1000).toFixed(1)} s`),
      ]
    : [`${styleText('cyan', '=')} ${summary}: the site is so already, nothing was changed`]
  return [...warnings.map(warningText), ...verdictsText(verdicts), ...result].join('\n')
}

/** Who would break, and where, as a table; indented by four, so that Markdown keeps its columns. */
export const verdictsText = (verdicts: readonly Verdict[]): string[] =>
  verdicts.length === 0
    ? []
    : [
        table([
          ['    package', 'version', 'page', 'under shell', ''].map(dim),
          ...verdicts.map(({ package: name, version, route, shell, fault }) => [
            `    ${name}`,
            version,
            route,
            shell,
            fault ? styleText('red', `breaks: ${fault}`) : styleText('green', 'shows'),
          ]),
        ]),
        '',
      ]

export const warningText = (warning: string): string => `${styleText('yellow', '!')} ${warning}`

export const problemText = ({ rule, about, found, todo }: Problem): string =>
  `\n  ${bold(about)} ${dim(`(${rule})`)}\n    found  ${found}\n    do     ${todo}`

/** Pads each column to its widest cell, not counting colours. No line ends in spaces. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => width(row[column] ?? ''))))
  const lines = rows.map((row) => {
    const last = row.findLastIndex((cell) => width(cell) > 0)
    const padded = row.map((cell, column) =>
      column < last ? cell + ' '.repeat((widths[column] ?? 0) - width(cell)) : cell,
    )
    return padded.slice(0, last + 1).join('  ')
  })
  return lines.join('\n')
}

const width = (cell: string): number => stripVTControlCharacters(cell).length

export function statusText(record: SiteRecord, plans: readonly Plan[], url: string): string {
  const { number, createdAt, shell, remotes, change } = record
  const [on, off] = [styleText('green', '●'), styleText('red', '○')]
  const { version, contract } = shell
  const rows = Object.entries(remotes).map(([name, { status, current, previous, canary }]) => [
    status === 'on' ? on : off,
    name,
    current.version,
    current.contract,
    dim(previous?.version ?? '-'),
    [
      ...(status === 'off' ? [styleText('red', 'switched off')] : []),
      ...(canary ? [styleText('yellow', `canary ${canary.release.version} for ${canary.percent} %`)] : []),
    ].join(', '),
  ])
  const judges = plans.map((plan) => {
    const texts = Object.keys(plan.remotes).map((name) => `${name}: ${planText(name, plan)}`)
    const problem = planProblem(plan)
    return ['', ...texts, ...(problem ? [styleText('red', `  ${problem}`)] : [])].join('\n')
  })
  return [
    `${bold(url)}  composition ${number}, ${ago(createdAt)} by ${change.by} (${change.verb})\n`,
    table([
      ['', 'package', 'version', 'contract', 'before', ''].map(dim),
      [on, HOST_NAME, version, `offers ${contract}`, '', ''],
      ...rows,
    ]),
    ...judges,
  ].join('\n')
}

export const historyText = (records: readonly SiteRecord[]): string =>
  table([
    ['number', 'when', 'by', 'verb', 'what'].map(dim),
    ...records.map(({ number, createdAt, change }) => [
      bold(String(number)),
      ago(createdAt),
      change.by,
      change.verb,
      change.summary,
    ]),
  ])
