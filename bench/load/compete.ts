import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { median, pairedRatio } from '../statistics.ts'
import type { Load } from './measure.ts'

type MeasuredLoad = Load & { readonly foreign: number }
type Loads = Readonly<Record<string, readonly MeasuredLoad[]>>

const PAUSE_MS = 500
export const BUSY = 0.15
/** Returns the share of the machine that other processes use, from 0 to 1. */
export async function foreignLoad(): Promise<number> {
  const times = () => {
    const all = cpus().flatMap(({ times }) => Object.entries(times))
    const sum = (entries: typeof all) => entries.reduce((total, [, ms]) => total + ms, 0)
    return { all: sum(all), idle: sum(all.filter(([kind]) => kind === 'idle')) }
  }
  const before = times()
  await sleep(PAUSE_MS)
  const after = times()
  return 1 - (after.idle - before.idle) / (after.all - before.all)
}

/**
 * Measures the contestants in turns, so that other processes disturb all of
 * them; each round begins with another one.
 */
export async function compete<T>(
  contestants: Readonly<Record<string, T>>,
  load: (contestant: T) => Promise<Load>,
  rounds: number,
): Promise<Loads> {
  const all = Object.entries(contestants)
  const loads: Record<string, MeasuredLoad[]> = Object.fromEntries(all.map(([name]) => [name, []]))
  // The first round warms up the machine and is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    for (let turn = 0; turn < all.length; turn += 1) {
      const [name = '', contestant] = all[(round + turn) % all.length] ?? []
      const foreign = await foreignLoad()
      const measured = { ...(await load(contestant as T)), foreign } // the index is in range
      if (round > 0) loads[name]?.push(measured)
    }
    console.error(round === 0 ? 'warmed up' : `round ${round} of ${rounds}`)
  }
  return loads
}

/** Label, divisor and digits of each figure. */
const FIGURES = {
  painted: ['painted ms', 1, 0],
  accepts: ['accepts ms', 1, 0],
  answers: ['answers ms', 1, 0],
  press: ['first mission ms', 1, 0],
  lcp: ['LCP ms', 1, 0],
  cls: ['CLS', 1, 2],
  cpu: ['CPU ms', 1, 0],
  js: ['JS kB', 1000, 1],
  bytes: ['all kB', 1000, 1],
} as const
export type Key = keyof typeof FIGURES
const OF_A_LOAD: readonly Key[] = [
  'painted',
  'accepts',
  'answers',
  'lcp',
  'cls',
  'cpu',
  'js',
  'bytes',
]

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
export const table = (
  head: readonly string[],
  rows: readonly (readonly string[])[],
  align = '---:',
): string =>
  [line(head), line(head.map((_, index) => (index === 0 ? '---' : align))), ...rows.map(line)].join(
    '\n',
  )

export const mediansOf = (loads: Loads, keys = OF_A_LOAD): string =>
  table(
    ['', ...keys.map((key) => FIGURES[key][0])],
    Object.entries(loads).map(([name, own]) => [
      name,
      ...keys.map((key) => {
        const [, divisor, digits] = FIGURES[key]
        return (median(own.map((load) => load[key])) / divisor).toFixed(digits)
      }),
    ]),
  )

/**
 * Compares one contestant with all others: medians of the paired ratios, with
 * the lowest and highest, as Markdown.
 */
export function ratiosOf(loads: Loads, one: string, keys = OF_A_LOAD): string {
  const compared = keys.filter((key) => key !== 'cls' && key !== 'bytes')
  const rows = Object.keys(loads)
    .filter((name) => name !== one)
    .map((name) => [
      `${one} / ${name}`,
      ...compared.map((key) => {
        const values = (of: string) => (loads[of] ?? []).map((load) => load[key])
        const [ratio, low, high] = pairedRatio(values(one), values(name)).map((value) =>
          value.toFixed(2),
        )
        if (values(name).includes(0)) return ''
        return `**${ratio}** (${low}–${high})`
      }),
    ])
  return table(['', ...compared.map((key) => FIGURES[key][0].replace(/ (ms|kB)$/, ''))], rows)
}

/** Describes how the figures were measured, and how busy the machine was. */
export function conditionsOf(loads: Loads): string {
  const all = Object.values(loads).flat()
  const rounds = all.length / Object.keys(loads).length
  const foreign = all.map((load) => load.foreign)
  const disturbed = foreign.filter((share) => share > BUSY).length
  return `${rounds} rounds; ratios: the median of the rounds, in brackets the lowest and highest. Other processes used ${(100 * median(foreign)).toFixed(0)} % of the machine (median; more than ${100 * BUSY} % before ${disturbed} of ${all.length} loads).`
}
