import { Command } from 'commander'
import type { Context } from '../site/context.ts'
import type { Outcome } from '../verbs/change.ts'
import type { BuildFinder } from './build-folders.ts'
import type { CommandResult } from './command-result.ts'
import { outcomeText } from './text.ts'

export interface CommandContext extends Context, BuildFinder {}

export type Work = (context: CommandContext) => Promise<CommandResult>
export type Runner = (command: DeployCommand, work: Work) => Promise<CommandResult>

export interface CommonOptions {
  readonly site?: string
  readonly to?: string
  readonly dryRun?: boolean
  readonly json?: boolean
}

export class DeployCommand extends Command {
  bringsBuilds = false
  private readonly run: Runner
  private readonly end: (result: CommandResult) => void

  constructor(name: string | undefined, run: Runner, end: (result: CommandResult) => void) {
    super(name)
    this.run = run
    this.end = end
  }

  override createCommand(name?: string): DeployCommand {
    return new DeployCommand(name, this.run, this.end)
  }

  answers<Given extends unknown[]>(
    work: (context: CommandContext, ...given: Given) => Promise<CommandResult>,
  ): this {
    return this.action(async (...given: Given) =>
      this.end(await this.run(this, (context) => work(context, ...given))),
    )
  }

  changes<Given extends unknown[]>(
    work: (context: CommandContext, ...given: Given) => Promise<Outcome>,
  ): this {
    return this.answers((context, ...given: Given) =>
      commandResultOf(context, work(context, ...given)),
    )
  }

  prints<Given extends unknown[]>(work: (...given: Given) => Promise<CommandResult>): this {
    return this.action(async (...given: Given) => this.end(await work(...given)))
  }

  examples(lines: string): this {
    return this.addHelpText('after', `\nExamples:\n${lines}`)
  }
}

export async function commandResultOf(
  { isDryRun }: Context,
  changing: Promise<Outcome>,
): Promise<CommandResult> {
  const began = Date.now()
  const outcome = await changing
  const milliseconds = Date.now() - began
  const { summary, changed, warnings, smoke, record } = outcome
  return {
    text: outcomeText(outcome, isDryRun, milliseconds),
    json: {
      ok: true,
      changed,
      dryRun: isDryRun,
      number: record.number,
      summary,
      warnings,
      smoke,
      milliseconds,
    },
  }
}
