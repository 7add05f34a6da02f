import { styleText } from 'node:util'
import { errorCode } from '@anniversary/shared/error-code'
import { errorMessage } from '@anniversary/shared/error-message'
import { CommanderError } from 'commander'
import { z } from 'zod'
import { Rejected, UsageError } from '../rejected.ts'
import { problemText, smokeText } from './text.ts'

export const resultSchema = z.object({
  text: z.string(),
  json: z.unknown().optional(),
  /** 1 without `error`: the command finished, but found problems. */
  exitCode: z.number().int().min(0).max(2).optional(),
  error: z.boolean().optional(),
})
export type CommandResult = z.infer<typeof resultSchema>

export const jsonText = (value: unknown): string => JSON.stringify(value, null, 2)

export function printResult({ text, json, error }: CommandResult, asJson: boolean): void {
  if (asJson && json !== undefined) process.stdout.write(`${jsonText(json)}\n`)
  else if (error && text) process.stderr.write(`${styleText('red', '✗')} ${text}\n`)
  else if (text) process.stdout.write(`${text}\n`)
}

/** Of standard output, which `deploy history | head -1` closes early. */
export function reportOutputFailure(error: Error): void {
  if (errorCode(error) === 'EPIPE') return
  console.error(
    `The output could not be written (${error.message}); \`deploy history\` says what was done.`,
  )
  process.exitCode = 1
}

const ADVICE: Readonly<Record<string, string>> = {
  EACCES: 'This user may not read or write there, or listen on that port',
  EADDRINUSE: 'Another program has the port: choose one by --port',
  ENOSPC: 'The disk is full: make room, and run it again',
  ENOTDIR: 'The site is a folder: check --site',
  EROFS: 'The disk is read-only',
}

export function commandFailureOf(error: unknown, help = ''): CommandResult {
  if (error instanceof CommanderError) return usageFailure(error, help)
  if (error instanceof Rejected && error.problems.length > 0) return rejection(error)
  const message = [errorMessage(error), ADVICE[errorCode(error) ?? '']].filter(Boolean).join('. ')
  return {
    exitCode: error instanceof UsageError ? 2 : 1,
    text: message,
    json: { ok: false, error: message, problems: [], smoke: [] },
    error: true,
  }
}

function usageFailure({ exitCode, code, message }: CommanderError, help: string): CommandResult {
  if (exitCode === 0) return { text: help }
  return {
    text: help,
    json: { ok: false, error: message, problems: [] },
    exitCode: 2,
    error: code !== 'commander.help',
  }
}

function rejection({ problems, smoke }: Rejected): CommandResult {
  const lines = [
    'Rejected; nothing was changed.',
    ...smokeText(smoke),
    ...problems.map(problemText),
  ]
  return {
    exitCode: 1,
    text: lines.join('\n'),
    json: { ok: false, error: 'rejected', problems, smoke },
    error: true,
  }
}
