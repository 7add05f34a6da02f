import { pathToFileURL } from 'node:url'

/** @throws Error with the claim that does not hold */
export function check(holds: boolean | undefined, claim: string): void {
  if (!holds) throw new Error(`does not hold: ${claim}`)
}

/** True for the file that Node was started with. */
export const isMain = (url: string): boolean => url === pathToFileURL(process.argv[1] ?? '').href
