import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { errorMessage } from '@anniversary/shared/error-message'

export function check(holds: boolean | undefined, claim: string): void {
  if (!holds) throw new Error(`does not hold: ${claim}`)
}

/** @throws Error when `condition` returns no value within `seconds` */
export async function until<T>(
  what: string,
  condition: () => Promise<T | false | undefined>,
  seconds = 120,
): Promise<T> {
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await sleep(100)) {
    const value = await Promise.race([
      condition(),
      sleep(seconds * 1000, undefined, { ref: false }),
    ])
    if (value) return value
  }
  throw new Error(`${what} took more than ${seconds} s`)
}

/**
 * Servers end at 'exit', which a signal alone does not cause. npm sends the
 * signal a second time.
 */
export function exitOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => process.exit(1))
}

/**
 * Runs when Node was started with the proof's file.
 * @param usual numbers that the command line may replace, in this order
 * @param run resolves with a sentence about what was proved
 * @param given these numbers, as the command line has them
 */
export async function proof<Name extends string>(
  url: string,
  usual: Readonly<Record<Name, number>>,
  run: (numbers: Readonly<Record<Name, number>>) => Promise<string>,
  given: readonly string[] = process.argv.slice(2),
): Promise<void> {
  if (url !== pathToFileURL(process.argv[1] ?? '').href) return
  exitOnSignals()
  try {
    const names = Object.keys(usual) as Name[]
    const numbers: Record<Name, number> = { ...usual }
    for (const [i, name] of names.entries()) numbers[name] = Number(given[i] ?? usual[name])
    const areWhole = names.every(
      (name) => Number.isSafeInteger(numbers[name]) && numbers[name] >= 1,
    )
    if (!areWhole || given.length > names.length)
      throw new Error(`give no more than ${names.length} whole numbers from 1: ${names.join(' ')}`)
    console.log(`proved: ${await run(numbers)}`)
  } catch (error) {
    console.error(`not proved: ${errorMessage(error)}`)
    process.exit(1)
  }
}
