import { plainText } from './plain-text.ts'

const sameLetters = (text: string) =>
  plainText(text)
    .replace(/^["']+|["'.,;]+$/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()

export function readPrize<Prize extends { readonly name: string }>(
  text: string,
  prizes: readonly Prize[],
): Prize | undefined {
  const wanted = sameLetters(text)
  return prizes.find(({ name }) => sameLetters(name) === wanted)
}
