import { type Queryable, statement } from './database.ts'

const PAGE_ROWS = 2000

/**
 * Reads a query's rows in pages, in constant memory.
 * @param tx a transaction: the cursor lives in it
 * @param name of the cursor, used for this query only
 */
export async function* pagesOf<Row>(tx: Queryable, name: string, query: string): AsyncGenerator<Row[]> {
  await tx.query(statement(`${name}-open`, `DECLARE "${name}" NO SCROLL CURSOR FOR ${query}`))
  const fetch = statement(`${name}-fetch`, `FETCH ${PAGE_ROWS} FROM "${name}"`)
  for (;;) {
    const rows = await tx.query<Row>(fetch)
    if (rows.length === 0) break
    yield rows
  }
  await tx.query(statement(`${name}-close`, `CLOSE "${name}"`))
}
