import { AsyncLocalStorage } from 'node:async_hooks'
import { hostname, userInfo } from 'node:os'
import { problem, Rejected, rejected } from '../rejected.ts'

/** A person or pipeline that the deploy server acts for. */
export interface Caller {
  readonly name: string
  readonly packages: readonly string[]
  whoMay(part: string): readonly string[]
  /** Whether the token still stands: it may be revoked while a call works. */
  isKnown(): Promise<boolean>
  /** Folders of the builds that a call has brought, by argument. */
  readonly builds?: ReadonlyMap<string, string>
}

/** Whom the work within is done for. Absent: direct work, where the folder or bucket decides who may write. */
export const onBehalf = new AsyncLocalStorage<Caller>()

/* Parts of a site that no package is called. Only `*` may change them. */
export const CONFIGURATION = 'the configuration'
export const OLD_FILES = 'files outside packages'
export const CHECKS = 'a check set aside'

export const mayChange = ({ packages }: Pick<Caller, 'packages'>, part: string): boolean =>
  packages.includes('*') || packages.includes(part)

/** @throws Rejected naming the parts that the caller may not change, or when the token was revoked meanwhile */
export async function authorize(parts: readonly string[]): Promise<void> {
  const caller = onBehalf.getStore()
  if (!caller) return
  if (!(await caller.isKnown()))
    throw rejected('access', caller.name, 'its token was revoked meanwhile', 'Ask for a new one')
  const foreign = [...new Set(parts)].filter((part) => !mayChange(caller, part))
  if (foreign.length === 0) return
  throw new Rejected(
    foreign.map((about) =>
      problem(
        'access',
        about,
        `${caller.name} may change ${caller.packages.join(', ')}`,
        `Ask who may: ${caller.whoMay(about).join(', ') || 'nobody yet (`deploy token add`)'}`,
      ),
    ),
  )
}

export const author = (): string =>
  onBehalf.getStore()?.name ?? process.env.DEPLOY_BY ?? `${userName()}@${hostname()}`

function userName(): string {
  try {
    return userInfo().username
  } catch {
    // In a container, the user's number may have no account.
    return `uid ${process.getuid?.() ?? '?'}`
  }
}
