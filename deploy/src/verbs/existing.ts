import { Refused } from '../problem.ts'
import { newestRecord, type SiteRecord } from '../record.ts'
import type { Target } from '../target/target.ts'

/** @throws Refused when nothing was ever published here */
export function existing(record: SiteRecord | null): SiteRecord {
  if (record) return record
  throw new Refused([
    {
      rule: 'site',
      about: 'this site',
      found: 'nothing was ever published here',
      todo: 'Check --site, or publish the shell first',
    },
  ])
}

export const existingSite = async (target: Target): Promise<SiteRecord> =>
  existing(await newestRecord(target))
