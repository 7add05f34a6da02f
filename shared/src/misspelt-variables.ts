const MOST_WRONG_LETTERS = 2
/** Shorter names are too like other programs'. */
const SHORTEST_COMPARED = 7

/** Returns how many letters have to be added, removed or replaced. */
function wrongLetters(text: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [line, letter] of [...text].entries()) {
    const next = [line + 1]
    for (const [column, wanted] of [...other].entries()) {
      const replaced = (row[column] ?? 0) + Number(letter !== wanted)
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

const sorted = (text: string): string => [...text].sort().join('')

/**
 * Short names such as SITE_URL and LIVE_URL differ by two letters, and so do
 * DEPLOY_SITE and DEPLOY_DATE of a pipeline.
 */
function isTypingError(name: string, meant: string): boolean {
  const wrong = wrongLetters(name, meant)
  if (wrong > MOST_WRONG_LETTERS) return false
  const letters = name.replace(/^DEPLOY_/, '').length
  return wrong === 1 || letters >= 10 || sorted(name) === sorted(meant)
}

/** @returns a sentence for each variable that was meant to be a known one */
export function misspeltVariables(
  env: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): string[] {
  const compared = known.filter((name) => name.length >= SHORTEST_COMPARED)
  const unknown = Object.keys(env).filter((name) => !known.includes(name))
  return unknown.flatMap((name) => {
    const meant = compared.find((one) => isTypingError(name, one))
    return meant ? [`${name} is not known: ${meant} was probably meant`] : []
  })
}
