import type { Database } from '../database/database.ts'

/**
 * Runs `work` on a database whose transactions all are one, and takes it back. What it locks stays locked until then.
 * @returns what `work` returned
 */
export async function dryRun<T>(database: Database, work: (trial: Database) => Promise<T>): Promise<T> {
  const takeBack = new Error('a dry run is taken back')
  let result: { value: T } | undefined
  await database
    .transaction(async (tx) => {
      result = { value: await work({ ...database, query: tx.query, transaction: (run) => run(tx) }) }
      throw takeBack
    })
    .catch((error: unknown) => {
      if (error !== takeBack) throw error
    })
  if (!result) throw takeBack
  return result.value
}
