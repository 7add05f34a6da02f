import { plainText } from './plain-text.ts'

const sameLetters = (text: string) =>
  plainText(text)
    .replace(/^["']+|["'.,;]+$/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()

export function readPrize(text: string, prizes: readonly string[]): string | undefined {
  const wanted = sameLetters(text)
  return prizes.find((prize) => sameLetters(prize) === wanted)
}
