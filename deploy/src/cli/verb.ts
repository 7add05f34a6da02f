import { existsSync } from 'node:fs'
import { styleText } from 'node:util'
import { errorCode } from '@anniversary/shared/error-code'
import { errorMessage } from '@anniversary/shared/error-message'
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { z } from 'zod'
import { Rejected, UsageError } from '../rejected.ts'
import { onBehalf } from '../site/caller.ts'
import { FileTarget } from '../target/file-target.ts'
import { isDry, OverlayTarget } from '../target/overlay-target.ts'
import type { Target } from '../target/target.ts'
import type { Outcome } from '../verbs/change.ts'
import { dim, outcomeText, problemText, verdictsText } from './text.ts'

export const answerSchema = z.object({
  text: z.string(),
  /** For pipelines, with --json. Absent: they get the text. */
  json: z.unknown().optional(),
  /** 1 without an error: the verb has done its work, and found what a pipeline must not pass over. */
  exitCode: z.number().int().min(0).max(2).optional(),
  /** Whether the text is about a failure, and no answer. */
  error: z.boolean().optional(),
})
export type Answer = z.infer<typeof answerSchema>

export type Runner = (verb: Verb, work: (target: Target) => Promise<Answer>) => Promise<Answer>

export class Verb extends Command {
  bringsBuilds = false
  private readonly run: Runner
  private readonly end: (answer: Answer) => void

  constructor(name: string | undefined, run: Runner, end: (answer: Answer) => void) {
    super(name)
    this.run = run
    this.end = end
  }

  override createCommand(name?: string): Verb {
    return new Verb(name, this.run, this.end)
  }

  answers<Given extends unknown[]>(work: (target: Target, ...given: Given) => Promise<Answer>): this {
    return this.action(async (...given: Given) =>
      this.end(await this.run(this, (target) => work(target, ...given))),
    )
  }

  changes<Given extends unknown[]>(work: (target: Target, ...given: Given) => Promise<Outcome>): this {
    return this.answers((target, ...given: Given) => outcomeOf(target, work(target, ...given)))
  }

  /** Sets a work that the deploy server never does for others. */
  prints<Given extends unknown[]>(work: (...given: Given) => Promise<Answer>): this {
    return this.action(async (...given: Given) => this.end(await work(...given)))
  }

  examples(lines: string): this {
    return this.addHelpText('after', `\nExamples:\n${lines}`)
  }
}

/** Options that are no verb's own business. */
export interface CommonOptions {
  readonly site?: string
  readonly to?: string
  readonly dryRun?: boolean
  readonly json?: boolean
}

export async function siteOf(verb: Verb): Promise<Target> {
  const { site = process.env.DEPLOY_SITE } = verb.optsWithGlobals<CommonOptions>()
  const address = site || (existsSync('site/composition.json') ? 'site' : undefined)
  if (!address)
    throw new UsageError(
      'Which site? There is none in ./site yet. Name it by --site ./site or --site s3://bucket, or in DEPLOY_SITE.',
    )
  return dryTarget(verb, await openTarget(address))
}

export const dryTarget = (verb: Verb, target: Target): Target =>
  verb.opts<CommonOptions>().dryRun ? new OverlayTarget(target) : target

/** Says a line before the work goes on, where somebody reads along. */
export function tell(verb: Verb, line: string): void {
  if (!onBehalf.getStore() && !verb.optsWithGlobals<CommonOptions>().json)
    process.stderr.write(`${dim(line)}\n`)
}

async function openTarget(address: string): Promise<Target> {
  if (address.startsWith('s3://')) {
    // Loaded for buckets only: the SDK is large.
    const { S3Target } = await import('../target/s3-target.ts')
    return S3Target.open(address)
  }
  if (/^[a-z][a-z0-9+]+:/i.test(address))
    throw new UsageError(`${address} is no site: name a folder (./site) or a bucket (s3://bucket/prefix)`)
  return new FileTarget(address)
}

export async function outcomeOf(target: Target, changing: Promise<Outcome>): Promise<Answer> {
  const began = Date.now()
  const outcome = await changing
  const dryRun = isDry(target)
  const milliseconds = Date.now() - began
  const { summary, changed, warnings, verdicts, record } = outcome
  return {
    text: outcomeText(outcome, dryRun, milliseconds),
    json: { ok: true, changed, dryRun, number: record.number, summary, warnings, verdicts, milliseconds },
  }
}

export const jsonText = (value: unknown): string => JSON.stringify(value, null, 2)

export function print({ text, json, error }: Answer, asJson: boolean): void {
  if (asJson && json !== undefined) process.stdout.write(`${jsonText(json)}\n`)
  else if (error && text) process.stderr.write(`${styleText('red', '✗')} ${text}\n`)
  else if (text) process.stdout.write(`${text}\n`)
}

/** By code of a system error. */
const ADVICE: Readonly<Record<string, string>> = {
  EACCES: 'This user may not write or read there',
  EADDRINUSE: 'Another program has the port: choose one by --port',
  ENOSPC: 'The disk is full: make room, and run it again',
  ENOTDIR: 'The site is a folder: check --site',
  EROFS: 'The disk is read-only',
}

export function failureOf(error: unknown, said = ''): Answer {
  if (error instanceof CommanderError)
    return error.exitCode === 0
      ? { text: said }
      : {
          text: said,
          json: { ok: false, error: error.message, problems: [] },
          exitCode: 2,
          error: error.code !== 'commander.help',
        }
  const { problems, verdicts } = error instanceof Rejected ? error : { problems: [], verdicts: [] }
  const message = [errorMessage(error), ADVICE[errorCode(error) ?? '']].filter(Boolean).join('. ')
  const isRefused = problems.length > 0
  return {
    exitCode: error instanceof UsageError ? 2 : 1,
    text: isRefused
      ? ['Refused; nothing was changed.', ...verdictsText(verdicts), ...problems.map(problemText)].join('\n')
      : message,
    json: { ok: false, error: isRefused ? 'refused' : message, problems, verdicts },
    error: true,
  }
}

export function wholeNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number.')
}

export function portNumber(text: string): number {
  if (/^\d+$/.test(text) && Number(text) < 65_536) return Number(text)
  throw new InvalidArgumentError('It must be a number from 0 to 65535.')
}

export function percent(text: string): number {
  if (/^\d{1,3}(\.\d+)?$/.test(text) && Number(text) <= 100) return Number(text)
  throw new InvalidArgumentError('It must be a number from 0 to 100.')
}

export function duration(text: string): number {
  const [, n, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const milliseconds = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit]
  if (milliseconds) return Number(n) * milliseconds
  throw new InvalidArgumentError('It must be a time such as 30s, 10m, 2h or 7d.')
}

export function steps(text: string): number[] {
  const shares = text.split(',').map(percent)
  const rises = shares.every((share, n) => share > (shares[n - 1] ?? 0))
  if (rises && shares.at(-1) === 100 && shares.length > 1) return shares
  throw new InvalidArgumentError('They must rise to 100: 5,25,50,100.')
}

/** Settings by name from `name=value`. An empty value becomes null, which restores the default. */
export const settings = (settings: readonly string[]): Record<string, string | null> =>
  Object.fromEntries(
    settings.map((setting) => {
      const at = setting.indexOf('=')
      if (at < 1) throw new UsageError(`${setting} is no setting: write name=value, or name= for the default`)
      return [setting.slice(0, at), setting.slice(at + 1) || null]
    }),
  )
