/** Crockford's base 32: no I, L, O, U. */
export const SYMBOLS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Number of shards: what two symbols can name. It never changes: rows, codes and tokens carry their shard. */
export const SHARDS = SYMBOLS.length ** 2

/** The shard of a member's rows. @param memberId the database's bigint, as text */
export const shardOf = (memberId: string): number => Number(BigInt(memberId) % BigInt(SHARDS))

/** The two symbols that name a shard. */
export const shardSymbols = (shard: number): string =>
  SYMBOLS.charAt(Math.floor(shard / SYMBOLS.length)) + SYMBOLS.charAt(shard % SYMBOLS.length)

/** The shard that the first two symbols of a code or token name; undefined when they name none. */
export function shardNamedBy(text: string): number | undefined {
  const [high = -1, low = -1] = Array.from(text.slice(0, 2), (symbol) => SYMBOLS.indexOf(symbol))
  return high < 0 || low < 0 ? undefined : high * SYMBOLS.length + low
}
