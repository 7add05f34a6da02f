import type { z } from 'zod'

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
  | 'smoke'
  | 'access'
  | 'site'
  | 'api'
  | 'freeze'

export interface SmokeResult {
  readonly shell: string
  readonly package: string
  readonly version: string
  readonly route: string
  readonly fault?: string
}

export class Rejected extends Error {
  override readonly name = 'Rejected'
  readonly problems: readonly Problem[]
  readonly smoke: readonly SmokeResult[]

  constructor(problems: readonly Problem[], smoke: readonly SmokeResult[] = []) {
    super(problems.map((p) => `${p.about}: ${p.rule}: ${p.found}. ${p.todo}.`).join('\n'))
    this.problems = problems
    this.smoke = smoke
  }
}

export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export const createProblem = (rule: Rule, about: string, found: string, todo: string): Problem => ({
  rule,
  about,
  found,
  todo,
})

export const createRejection = (...one: Parameters<typeof createProblem>): Rejected =>
  new Rejected([createProblem(...one)])

/** Returns one line for each issue: `version: Invalid input`. */
export const issuesOf = ({ issues }: z.ZodError): string[] =>
  issues.map((issue) => {
    const [ofKey] = issue.code === 'invalid_key' ? issue.issues : []
    const { message } = ofKey ?? issue
    return [issue.path.join('.'), message].filter(Boolean).join(': ')
  })
