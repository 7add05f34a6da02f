import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '@anniversary/e2e/stack'
import { InvalidArgumentError } from 'commander'

export function wholeNumber(text: string): number {
  const number = Number(text)
  if (Number.isSafeInteger(number) && number >= 1) return number
  throw new InvalidArgumentError('give a whole number from 1')
}

/** Writes a file into bench/results. */
export function writeResults(file: string, results: unknown): void {
  const folder = join(ROOT, 'bench/results')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, file), `${JSON.stringify(results, null, 2)}\n`)
}
