import { hostname, userInfo } from 'node:os'
import { createProblem, createRejection, Rejected } from '../rejected.ts'
import { OverlayTarget } from '../target/overlay-target.ts'
import type { Target } from '../target/target.ts'

export type Permission = 'everything' | 'publish' | 'preview' | 'stop-canaries' | 'read'

/** Null: all verbs. */
const VERBS_OF: Readonly<Record<Permission, readonly string[] | null>> = {
  everything: null,
  publish: ['preview', 'publish', 'canary', 'canary stop', 'promote'],
  preview: ['preview'],
  'stop-canaries': ['canary stop'],
  read: [],
}
export const PERMISSIONS = Object.keys(VERBS_OF) as Permission[] // keys of a constant

export interface Caller {
  readonly name: string
  readonly packages: readonly string[]
  readonly may: Permission
  whoMay(part: string): readonly string[]
  /** The token may be revoked during a call. */
  isKnown(): Promise<boolean>
}

export interface Context {
  readonly target: Target
  /**
   * The authenticated caller. Null on a folder or bucket, whose own rights
   * apply.
   */
  readonly caller: Caller | null
  readonly isDryRun: boolean
}

export const directContext = (target: Target): Context => ({
  target,
  caller: null,
  isDryRun: false,
})

export const asDryRun = <C extends Context>(context: C): C => ({
  ...context,
  target: new OverlayTarget(context.target),
  isDryRun: true,
})

/* No package has these names. Only `*` may change them. */
export const CONFIGURATION = 'the configuration'
export const FREEZE = 'the freeze'
export const NOTICE = 'the notice'
export const SITE_FILES = 'files outside packages'
export const CHECKS = 'a check set aside'
/** No publish changes them. */
export const SITE_SETTINGS = [CONFIGURATION, FREEZE, NOTICE]

export const mayChangePart = ({ packages }: Pick<Caller, 'packages'>, part: string): boolean =>
  packages.includes('*') || packages.includes(part)

/** @throws Rejected for foreign parts, or a revoked token */
export async function authorizeParts({ caller }: Context, parts: readonly string[]): Promise<void> {
  if (!caller) return
  if (!(await caller.isKnown()))
    throw createRejection(
      'access',
      caller.name,
      'its token was revoked meanwhile',
      'Ask for a new one',
    )
  const foreign = [...new Set(parts)].filter((part) => !mayChangePart(caller, part))
  if (foreign.length === 0) return
  throw new Rejected(
    foreign.map((about) =>
      createProblem(
        'access',
        about,
        `${caller.name} may change ${caller.packages.join(', ')}`,
        `Ask who may: ${caller.whoMay(about).join(', ') || 'nobody yet (`deploy token add`)'}`,
      ),
    ),
  )
}

function whomToAsk(verb: string): string {
  const kind = (['preview', 'publish'] as const).find((one) => VERBS_OF[one]?.includes(verb))
  if (kind) return `Use a token that may, or ask for one (\`deploy token add … --may ${kind}\`)`
  return 'Use the token of somebody on call, or ask for one that is made without `--may`'
}

/** @throws Rejected when the token is for other verbs */
export function authorizeVerb({ caller }: Context, verb: string): void {
  if (!caller) return
  const verbs = VERBS_OF[caller.may]
  if (!verbs || verbs.includes(verb)) return
  throw createRejection(
    'access',
    verb,
    `the token of ${caller.name} is for ${caller.may} only`,
    whomToAsk(verb),
  )
}

export function authorOfChange({ caller }: Context): string {
  if (caller) return caller.name
  return process.env.DEPLOY_BY || `${userName()}@${hostname()}`
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    // In a container, the user's number may have no account.
    return `uid ${process.getuid?.() ?? '?'}`
  }
}
