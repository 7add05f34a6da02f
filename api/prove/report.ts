import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { errorMessage } from '@anniversary/shared/error-message'
import { Argument, Command, InvalidArgumentError } from 'commander'

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

/** A whole number that a proof takes from the command line. */
interface Setting {
  readonly name: string
  readonly about: string
  readonly usual: number
  readonly least: number
}

function wholeNumber(text: string, least: number): number {
  const number = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number) || number < least) {
    throw new InvalidArgumentError(`It must be a whole number from ${least}.`)
  }
  return number
}

/**
 * Runs a proof when Node was started with its file. Exit code 0 when everything holds, 1 when something does not, 2 for
 * arguments that it does not take.
 * @param run resolves with what was proved, in words
 */
export async function proof(
  url: string,
  about: string,
  settings: readonly Setting[],
  run: (...values: number[]) => Promise<string>,
): Promise<void> {
  if (url !== pathToFileURL(process.argv[1] ?? '').href) return
  const program = new Command(`npm run prove:${basename(url, '.ts')} --`)
    .description(about)
    .allowExcessArguments(false)
  for (const { name, about, usual, least } of settings) {
    const argument = new Argument(`[${name}]`, about).default(usual)
    program.addArgument(argument.argParser((text) => wholeNumber(text, least)))
  }
  // The servers of a proof end with it, at 'exit'.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  program.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2)).parse()
  try {
    console.log(`proved: ${await run(...(program.processedArgs as number[]))}`) // each is parsed or a default
  } catch (error) {
    console.error(`not proved: ${errorMessage(error)}`)
    process.exit(1)
  }
}
