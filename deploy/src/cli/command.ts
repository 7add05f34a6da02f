import { existsSync } from 'node:fs'
import { styleText } from 'node:util'
import { errorCode } from '@anniversary/shared/error-code'
import { errorMessage } from '@anniversary/shared/error-message'
import { Command, CommanderError } from 'commander'
import { z } from 'zod'
import { Rejected, UsageError } from '../rejected.ts'
import { type Context, direct, dryRun } from '../site/context.ts'
import { FileTarget } from '../target/file-target.ts'
import type { Target } from '../target/target.ts'
import type { Outcome } from '../verbs/change.ts'
import { type BuildFinder, findLocalBuild } from './build-folders.ts'
import { outcomeText, problemText, smokeText } from './text.ts'

export const resultSchema = z.object({
  text: z.string(),
  /** For pipelines, with --json. Unset: they get the text. */
  json: z.unknown().optional(),
  /** 1 without `error`: the command finished, but found problems. */
  exitCode: z.number().int().min(0).max(2).optional(),
  /** Whether the text is about a failure. */
  error: z.boolean().optional(),
})
export type CommandResult = z.infer<typeof resultSchema>

export interface CommandContext extends Context, BuildFinder {}

export type Work = (context: CommandContext) => Promise<CommandResult>
/** Runs a command: on this machine, in the publish API, or by calling it. */
export type Runner = (command: DeployCommand, work: Work) => Promise<CommandResult>

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
    return this.answers((context, ...given: Given) => resultOf(context, work(context, ...given)))
  }

  /** Sets work that needs no site, and that the publish API never does for others. */
  prints<Given extends unknown[]>(work: (...given: Given) => Promise<CommandResult>): this {
    return this.action(async (...given: Given) => this.end(await work(...given)))
  }

  examples(lines: string): this {
    return this.addHelpText('after', `\nExamples:\n${lines}`)
  }
}

export interface CommonOptions {
  readonly site?: string
  readonly to?: string
  readonly dryRun?: boolean
  readonly json?: boolean
}

export async function siteOf(command: DeployCommand): Promise<CommandContext> {
  const { site = process.env.DEPLOY_SITE } = command.optsWithGlobals<CommonOptions>()
  const address = site || (existsSync('site/composition.json') ? 'site' : undefined)
  if (!address)
    throw new UsageError(
      'Which site? There is none in ./site yet. Name it by --site ./site or --site s3://bucket, or in DEPLOY_SITE.',
    )
  return withOptions(command, { ...direct(await openTarget(address)), findBuild: findLocalBuild })
}

export const withOptions = (command: DeployCommand, context: CommandContext): CommandContext =>
  command.opts<CommonOptions>().dryRun ? dryRun(context) : context

async function openTarget(address: string): Promise<Target> {
  if (address.startsWith('s3://')) {
    // Loaded for buckets only: the SDK is large.
    const { S3Target } = await import('../target/s3-target.ts')
    return S3Target.open(address)
  }
  if (/^[a-z][a-z0-9+]+:/i.test(address))
    throw new UsageError(
      `${address} is no site: name a folder (./site) or a bucket (s3://bucket/prefix)`,
    )
  return new FileTarget(address)
}

export async function resultOf(
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

export const jsonText = (value: unknown): string => JSON.stringify(value, null, 2)

export function print({ text, json, error }: CommandResult, asJson: boolean): void {
  if (asJson && json !== undefined) process.stdout.write(`${jsonText(json)}\n`)
  else if (error && text) process.stderr.write(`${styleText('red', '✗')} ${text}\n`)
  else if (text) process.stdout.write(`${text}\n`)
}

/** By code of a system error. */
const ADVICE: Readonly<Record<string, string>> = {
  EACCES: 'This user may not read or write there, or listen on that port',
  EADDRINUSE: 'Another program has the port: choose one by --port',
  ENOSPC: 'The disk is full: make room, and run it again',
  ENOTDIR: 'The site is a folder: check --site',
  EROFS: 'The disk is read-only',
}

/** @param help what commander has printed */
export function failureOf(error: unknown, help = ''): CommandResult {
  if (error instanceof CommanderError)
    return error.exitCode === 0
      ? { text: help }
      : {
          text: help,
          json: { ok: false, error: error.message, problems: [] },
          exitCode: 2,
          error: error.code !== 'commander.help',
        }
  const { problems, smoke } = error instanceof Rejected ? error : { problems: [], smoke: [] }
  const message = [errorMessage(error), ADVICE[errorCode(error) ?? '']].filter(Boolean).join('. ')
  const isRejected = problems.length > 0
  return {
    exitCode: error instanceof UsageError ? 2 : 1,
    text: isRejected
      ? ['Rejected; nothing was changed.', ...smokeText(smoke), ...problems.map(problemText)].join(
          '\n',
        )
      : message,
    json: { ok: false, error: isRejected ? 'rejected' : message, problems, smoke },
    error: true,
  }
}
