import { styleText } from 'node:util'
import { errorMessage } from '@anniversary/shared/error-message'
import { Command } from 'commander'
import { Rejected, UsageError } from '../rejected.ts'
import type { Target } from '../target/target.ts'
import type { Outcome } from '../verbs/change.ts'
import { type Context, contextOf } from './context.ts'
import { outcomeText, problemText } from './text.ts'

/** What a verb answers. */
export interface Answer {
  /** For people. */
  readonly text: string
  /** For pipelines, with --json. Absent: they get the text. */
  readonly json?: unknown
  /** Exit code 1: the verb has done its work, and found what a pipeline must not pass over. */
  readonly failed?: boolean
}

/** Ends a verb that has printed its answer with exit code 1. */
export class Failed extends Error {}

/** A command that works on a site, and answers in text or JSON. */
export class Verb extends Command {
  override createCommand(name?: string): Verb {
    return new Verb(name)
  }

  /** Sets the work. It gets the site that the command line names, then arguments and options. */
  answers<Given extends unknown[]>(work: (context: Context, ...given: Given) => Promise<Answer>): this {
    return this.action((...given: Given) => this.answer((context) => work(context, ...given)))
  }

  /** Sets a work that changes the site. */
  changes<Given extends unknown[]>(work: (target: Target, ...given: Given) => Promise<Outcome>): this {
    return this.answers((context, ...given: Given) =>
      outcomeOf(context, () => work(context.target, ...given)),
    )
  }

  /** Adds examples to the help. */
  examples(lines: string): this {
    return this.addHelpText('after', `\nExamples:\n${lines}`)
  }

  /** Prints the answer of this work on the site. */
  async answer(work: (context: Context) => Promise<Answer>): Promise<void> {
    const context = await contextOf(this)
    const { text, json, failed } = await work(context)
    say(context.json && json !== undefined ? jsonText(json) : text)
    if (failed) throw new Failed()
  }
}

/** Changes the site. */
export async function outcomeOf({ dryRun }: Context, work: () => Promise<Outcome>): Promise<Answer> {
  const began = Date.now()
  const outcome = await work()
  const milliseconds = Date.now() - began
  const { summary, changed, warnings, record } = outcome
  return {
    text: outcomeText(outcome, dryRun, milliseconds),
    json: { ok: true, changed, dryRun, number: record.number, summary, warnings, milliseconds },
  }
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

export const jsonText = (value: unknown): string => JSON.stringify(value, null, 2)

/** @returns the exit code */
export function printFailure(error: unknown, json: boolean): number {
  const problems = error instanceof Rejected ? error.problems : []
  const message = errorMessage(error)
  const lines =
    problems.length > 0 ? ['Refused; nothing was changed.', ...problems.map(problemText)] : [message]
  if (json) say(jsonText({ ok: false, error: problems.length > 0 ? 'refused' : message, problems }))
  else process.stderr.write(`${styleText('red', '✗')} ${lines.join('\n')}\n`)
  return error instanceof UsageError ? 2 : 1
}
