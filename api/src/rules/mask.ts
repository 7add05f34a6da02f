/** An account as strangers may see it: `ng***01`. */
export function maskedAccount(account: string): string {
  const letters = [...account]
  return letters.length < 6
    ? `${letters[0] ?? ''}***`
    : `${letters.slice(0, 2).join('')}***${letters.slice(-2).join('')}`
}
