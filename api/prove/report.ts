import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { errorMessage } from '@anniversary/shared/error-message'
import { Command, InvalidArgumentError } from 'commander'

/** @throws Error with the claim that does not hold */
export function check(holds: boolean | undefined, claim: string): void {
  if (!holds) throw new Error(`does not hold: ${claim}`)
}

/** Runs `work` with a temporary folder. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'anniversary-proof-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.')
  return Number(text)
}

/**
 * Runs a proof when Node was started with its file. Exit code 0 when everything holds, else 1.
 * @param usual numbers that the command line may replace, in this order
 * @param run resolves with what was proved, in words
 */
export async function proof<Name extends string>(
  url: string,
  about: string,
  usual: Readonly<Record<Name, number>>,
  run: (numbers: Readonly<Record<Name, number>>) => Promise<string>,
): Promise<void> {
  if (url !== pathToFileURL(process.argv[1] ?? '').href) return
  const program = new Command(`npm run prove:${basename(url, '.ts')} --`).description(about)
  for (const [name, number] of Object.entries(usual))
    program.argument(`[${name}]`, 'a whole number', wholeNumber, number)
  const names = Object.keys(usual)
  const { processedArgs } = program.parse()
  // The servers of a proof end with it, at 'exit'.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  try {
    const numbers = Object.fromEntries(names.map((name, i) => [name, processedArgs[i]]))
    console.log(`proved: ${await run(numbers as Record<Name, number>)}`) // each is parsed or usual
  } catch (error) {
    console.error(`not proved: ${errorMessage(error)}`)
    process.exit(1)
  }
}
