import { plainText } from './plain-text.ts'

/**
 * Reads points with at most two decimals. Undefined for anything that two
 * people could read differently: `15.000` means fifteen thousand in Viet Nam,
 * and `1,5` is one and a half or a slip.
 */
export function readAmount(text: string): number | undefined {
  const plain = plainText(text)
    .replace(/^(["'])(.*)\1$/, '$2')
    .trim()
  if (/^[+-]?\d+(\.\d{1,2})?$/.test(plain)) return Number(plain)
  return undefined
}
