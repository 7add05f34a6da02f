import { hostname, userInfo } from 'node:os'
import { problem, Rejected, rejected } from '../rejected.ts'
import { OverlayTarget } from '../target/overlay-target.ts'
import type { Target } from '../target/target.ts'

/** Verbs of the changes that each kind of token allows; null: all. */
const VERBS_OF = {
  everything: null,
  publish: ['preview', 'publish', 'canary', 'canary stop', 'promote'],
  preview: ['preview'],
  'stop-canaries': ['canary stop'],
}
export type Permission = keyof typeof VERBS_OF
export const PERMISSIONS = Object.keys(VERBS_OF) as Permission[] // keys of a constant

export interface Caller {
  readonly name: string
  readonly packages: readonly string[]
  readonly may: Permission
  whoMay(part: string): readonly string[]
  /** Whether the token is still valid: it may be revoked during a call. */
  isKnown(): Promise<boolean>
}

export interface Context {
  readonly target: Target
  /** The authenticated caller. Null when the command runs on a folder or bucket, whose own rights decide who may write. */
  readonly caller: Caller | null
  /** The target keeps changes in memory, and nobody is notified. */
  readonly isDryRun: boolean
}

export const direct = (target: Target): Context => ({ target, caller: null, isDryRun: false })

export const dryRun = <C extends Context>(context: C): C => ({
  ...context,
  target: new OverlayTarget(context.target),
  isDryRun: true,
})

/* Parts of a site that no package is called. Only `*` may change them. */
export const CONFIGURATION = 'the configuration'
export const FREEZE = 'the freeze'
export const NOTICE = 'the notice'
export const SITE_FILES = 'files outside packages'
export const CHECKS = 'a check set aside'

export const mayChange = ({ packages }: Pick<Caller, 'packages'>, part: string): boolean =>
  packages.includes('*') || packages.includes(part)

/** @throws Rejected naming the parts that the caller may not change, or when the token was revoked meanwhile */
export async function authorize({ caller }: Context, parts: readonly string[]): Promise<void> {
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

/** @throws Rejected when the caller's token is not for this kind of change */
export function authorizeVerb({ caller }: Context, verb: string): void {
  if (!caller) return
  const verbs = VERBS_OF[caller.may]
  if (!verbs || verbs.includes(verb)) return
  throw rejected(
    'access',
    verb,
    `the token of ${caller.name} is for ${caller.may} only`,
    'Use the token of the pipeline that may, or ask for one (`deploy token add … --may`)',
  )
}

export const authorOf = ({ caller }: Context): string =>
  caller?.name ?? (process.env.DEPLOY_BY || `${userName()}@${hostname()}`)

function userName(): string {
  try {
    return userInfo().username
  } catch {
    // In a container, the user's number may have no account.
    return `uid ${process.getuid?.() ?? '?'}`
  }
}
