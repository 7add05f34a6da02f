import { stripVTControlCharacters } from 'node:util'
import { callServer, takeServer } from './call-server.ts'
import { addCanaryVerbs } from './canary-verbs.ts'
import { addChangingVerbs } from './changing-verbs.ts'
import { contextOf } from './context.ts'
import { addPreviewVerb } from './preview-verb.ts'
import { addReadingVerbs } from './reading-verbs.ts'
import { addReportVerbs } from './report-verbs.ts'
import { addServerVerbs } from './server-verbs.ts'
import { failureOf, print, type Result, type Runner, resultOf, Verb } from './verb.ts'

/**
 * Runs the command line.
 * @returns the exit code: 0 done, 1 refused or failed, 2 wrong use
 */
export async function runCli(args: readonly string[]): Promise<number> {
  const result = await runHere(args).catch((error: unknown) => failureOf(error))
  print(result, args.includes('--json'))
  return result.exitCode
}

async function runHere(args: readonly string[]): Promise<Result> {
  const { to, rest } = takeServer(args)
  return await execute(rest, async (verb, work) =>
    to === undefined ? resultOf(await work(await contextOf(verb))) : await callServer(to, verb, rest),
  )
}

/** @param door the deploy server runs it for others: it prints nothing, and has no verbs of its own */
export async function execute(args: readonly string[], run: Runner, door?: 'door'): Promise<Result> {
  let result: Result = { exitCode: 0, text: '', json: null, error: false }
  let said = ''
  const program = new Verb('deploy', run, (ended) => {
    result = ended
  })
  if (door) {
    const keep = (text: string) => {
      said += text
    }
    program.configureOutput({ writeOut: keep, writeErr: keep })
  }
  addVerbs(program)
  if (!door) addServerVerbs(program)
  try {
    await program.parseAsync([...args], { from: 'user' })
  } catch (error) {
    result = failureOf(error, said)
  }
  return door ? { ...result, text: stripVTControlCharacters(result.text).trimEnd() } : result
}

function addVerbs(program: Verb): void {
  program
    .description('Puts builds live as a site of files, and takes them back.')
    .option('--site <address>', 'folder or bucket; default: DEPLOY_SITE, or ./site')
    .option('--json', 'answer as JSON')
    .examples(`  $ deploy publish mf-auth                     put the build in mf-auth/dist live
  $ deploy rollback mf-auth                    back to its last good version
  $ deploy status --site s3://event-site
  $ deploy publish mf-auth --to https://deploy.example
  $ deploy canary --help                       examples of one verb

The site is a folder (./site) or a bucket (s3://bucket/folder), named by --site or DEPLOY_SITE.
Where a deploy server stands before it: --to https://deploy.example, or DEPLOY_TO, and your token in DEPLOY_TOKEN.`)
    // Inherited by the verbs.
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(deploy --help tells more)')

  addChangingVerbs(program)
  addCanaryVerbs(program)
  addPreviewVerb(program)
  addReadingVerbs(program)
  addReportVerbs(program)
}
