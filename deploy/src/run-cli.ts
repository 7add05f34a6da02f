import { contextOf } from './cli/context.ts'
import { execute } from './cli/program.ts'
import { failureOf, print, type Result, resultOf } from './cli/verb.ts'
import { callServer, takeServer } from './server/call-server.ts'
import { addServerVerbs } from './server/server-verbs.ts'

/** @returns the exit code: 0 done, 1 refused or failed, 2 wrong use */
export async function runCli(args: readonly string[]): Promise<number> {
  const result = await runHere(args).catch((error: unknown) => failureOf(error))
  print(result, args.includes('--json'))
  return result.exitCode
}

async function runHere(args: readonly string[]): Promise<Result> {
  const { to, rest } = takeServer(args)
  return await execute(
    rest,
    async (verb, work) =>
      to === undefined ? resultOf(await work(await contextOf(verb))) : await callServer(to, verb, rest),
    addServerVerbs,
  )
}
