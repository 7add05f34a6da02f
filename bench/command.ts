/** What the benchmarks of page loads have in common as commands. */

/** Prints the help and ends, where it was asked for. */
export function helpOnly(help: string, asked: boolean | undefined): void {
  if (!asked) return
  console.log(help)
  process.exit(0)
}

/** Number of `--runs`. Ends with exit code 2 where it is none. */
export function runsFrom(text: string): number {
  const runs = Number(text)
  if (Number.isInteger(runs) && runs >= 1) return runs
  console.error(`--runs must be a whole number from 1, not ${text}`)
  process.exit(2)
}
