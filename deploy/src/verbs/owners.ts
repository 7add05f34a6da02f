import { invalid, rejected } from '../rejected.ts'
import type { Outcome } from '../site/change.ts'
import { ownersSchema, type SiteRecord } from '../site/record.ts'
import type { Target } from '../target/target.ts'
import { changeSite } from './change-site.ts'

type Owners = NonNullable<SiteRecord['owners']>

/**
 * Replaces the keys that own a package. The first row of a site must be `site`.
 * @param name package, or `site`
 * @param keys public keys; empty: only the site's keys may change the package
 * @throws Rejected unless one of the site's keys signs it
 */
export const setOwner = async (target: Target, name: string, keys: readonly string[]): Promise<Outcome> =>
  await changeOwners(target, `${name}: ${keys.join(', ') || 'nobody'}`, [name], (owners) => ({
    ...owners,
    [name]: [...keys],
  }))

/**
 * Removes a key from every row. What it has signed until now stays.
 * @throws Rejected unless one of the site's keys signs it, or when the site would have none left
 */
export const revokeKey = async (target: Target, key: string): Promise<Outcome> =>
  await changeOwners(target, `${key} revoked`, [], (owners) => {
    if (!Object.values(owners).flat().includes(key))
      throw rejected('owners', key, 'nobody has this key', '`deploy owners` lists all')
    return Object.fromEntries(
      Object.entries(owners).map(([name, keys]) => [name, keys.filter((one) => one !== key)]),
    )
  })

const changeOwners = async (
  target: Target,
  summary: string,
  packages: readonly string[],
  change: (owners: Owners) => Record<string, string[]>,
): Promise<Outcome> =>
  await changeSite(target, 'owners', {}, (site) => {
    const rows = Object.entries(change(site.owners ?? {})).filter(([, keys]) => keys.length > 0)
    const { data, error } = ownersSchema.safeParse(Object.fromEntries(rows))
    if (!data) throw invalid('owners', summary, error, '`deploy owners --new-key FILE` prints the public key')
    if (!data.site)
      throw rejected('owners', 'site', 'it would have no key', 'Set `deploy owners site KEY` first')
    return { ...site, newOwners: data, summary, packages }
  })
