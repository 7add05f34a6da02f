import { stripVTControlCharacters, styleText } from 'node:util'
import type { ComposedRemote } from '@anniversary/shared/contract/composition'
import { HOST_NAME } from '../builds/read-build.ts'
import type { Problem, SmokeResult } from '../rejected.ts'
import type { SiteRecord } from '../site/record.ts'
import type { Outcome } from '../verbs/change.ts'

export const dimText = (text: string): string => styleText('dim', text)
export const boldText = (text: string): string => styleText('bold', text)

export function outcomeText(
  { record: { number }, summary, changed, warnings, smoke }: Outcome,
  dryRun: boolean,
  milliseconds: number,
): string {
  const before = [...warnings.map(warningText), ...smokeText(smoke)]
  return [...before, ...resultLines()].join('\n')

  function resultLines(): string[] {
    if (!changed) return [`${styleText('cyan', '=')} ${summary}: no change`]
    if (dryRun) {
      const would = `  dry run: this would be composition ${number}`
      return [`${styleText('cyan', '~')} ${summary}`, dimText(would)]
    }
    const live = `  composition ${number}, live after ${(milliseconds / 1000).toFixed(1)} s`
    return [`${styleText('green', '✓')} ${summary}`, dimText(live)]
  }
}

/** The table is indented by four so that Markdown keeps its columns. */
export function smokeText(results: readonly SmokeResult[]): string[] {
  if (results.length === 0) return []
  const rows = results.map(({ package: name, version, route, shell, fault }) => [
    `    ${name}`,
    version,
    route,
    shell,
    fault ? styleText('red', `breaks: ${fault}`) : styleText('green', 'shows'),
  ])
  return [
    textTable([['    package', 'version', 'page', 'under shell', ''].map(dimText), ...rows]),
    '',
  ]
}

export const warningText = (warning: string): string => `${styleText('yellow', '!')} ${warning}`

export const problemText = ({ rule, about, found, todo }: Problem): string =>
  `\n  ${boldText(about)} ${dimText(`(${rule})`)}\n    found  ${found}\n    do     ${todo}`

export function textTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => width(row[column] ?? ''))),
  )
  const lines = rows.map((row) => {
    const last = row.findLastIndex((cell) => width(cell) > 0)
    const padded = row.map((cell, column) =>
      column < last ? cell + ' '.repeat((widths[column] ?? 0) - width(cell)) : cell,
    )
    return padded.slice(0, last + 1).join('  ')
  })
  return lines.join('\n')
}

const width = (cell: string) => stripVTControlCharacters(cell).length

export function statusText(record: SiteRecord, lines: readonly string[], url: string): string {
  const { number, createdAt, shell, remotes, change } = record
  const dots = { on: styleText('green', '●'), off: styleText('red', '○') }
  const { version, contract } = shell
  const rows = Object.entries(remotes).map(([name, { status, current, previous, canary }]) => [
    dots[status],
    name,
    current.version,
    current.contract,
    dimText(previous?.version ?? '-'),
    noteText(status, canary),
  ])
  return [
    `${boldText(url)}  composition ${number}, ${timeAgo(createdAt)} by ${change.by} (${change.verb})\n`,
    textTable([
      ['', 'package', 'version', 'contract', 'before', ''].map(dimText),
      [dots.on, HOST_NAME, version, `offers ${contract}`, '', ''],
      ...rows,
    ]),
    ...lines,
  ].join('\n')
}

function noteText(status: ComposedRemote['status'], canary: ComposedRemote['canary']): string {
  const notes: string[] = []
  if (status === 'off') notes.push(styleText('red', 'switched off'))
  if (canary)
    notes.push(styleText('yellow', `canary ${canary.release.version} for ${canary.percent} %`))
  return notes.join(', ')
}

export function verifyText(
  files: number,
  problems: readonly Problem[],
  unnamed: readonly string[],
): string {
  const lines = unnamed.map((folder) => `No record names ${folder}, and its files are whole.`)
  if (problems.length === 0) lines.push(`${files} files are as they should be.`)
  else lines.push(...problems.map(problemText), '', `${problems.length} problems.`)
  return lines.join('\n')
}

export const historyText = (records: readonly SiteRecord[]): string =>
  textTable([
    ['number', 'when', 'by', 'verb', 'what'].map(dimText),
    ...records.map(({ number, createdAt, change }) => [
      boldText(String(number)),
      timeAgo(createdAt),
      change.by,
      change.verb,
      change.summary,
    ]),
  ])

export function timeAgo(iso: string, now = new Date()): string {
  const minutes = Math.round((now.getTime() - Date.parse(iso)) / 60_000)
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes} min ago`
  if (minutes < 48 * 60) return `${Math.round(minutes / 60)} h ago`
  return `${Math.round(minutes / 1440)} days ago`
}
