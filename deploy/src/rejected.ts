import type { z } from 'zod'
import type { Verdict } from './site/record.ts'

/** One reason why a change cannot go live: the rule it breaks, what was found, and what a person can do about it. */
export interface Problem {
  readonly rule: Rule
  readonly about: string
  readonly found: string
  readonly todo: string
}

export type Rule =
  | 'build'
  | 'integrity'
  | 'contract'
  | 'exposes'
  | 'shared'
  | 'routes'
  | 'public-files'
  | 'size'
  | 'smoke'
  | 'access'
  | 'site'

/** A change that breaks a rule. Thrown before anything was written; the message lists every problem. */
export class Rejected extends Error {
  override readonly name = 'Rejected'
  readonly problems: readonly Problem[]
  readonly verdicts: readonly Verdict[]

  constructor(problems: readonly Problem[], verdicts: readonly Verdict[] = []) {
    super(problems.map((p) => `${p.about}: ${p.rule}: ${p.found}. ${p.todo}.`).join('\n'))
    this.problems = problems
    this.verdicts = verdicts
  }
}

export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export const rejected = (rule: Rule, about: string, found: string, todo: string): Rejected =>
  new Rejected([{ rule, about, found, todo }])

export const invalid = (rule: Rule, about: string, error: z.ZodError, todo: string): Rejected =>
  new Rejected(issuesOf(error).map((found) => ({ rule, about, found, todo })))

/** What Zod has found, each in one line: `version: Invalid input`. */
export const issuesOf = ({ issues }: z.ZodError): string[] =>
  issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '))
