/** One reason why something cannot go live: which rule, what was found, what a person can do about it. */
export interface Problem {
  readonly rule: Rule
  /** The package that the problem is about. */
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
  | 'site'

/** Thrown before anything was changed; its message lists every problem. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(problems.map((p) => `${p.about}: ${p.rule}: ${p.found}. ${p.todo}.`).join('\n'))
    this.problems = problems
  }
}
