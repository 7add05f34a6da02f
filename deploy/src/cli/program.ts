import { CommanderError } from 'commander'
import { addCanaryVerbs } from './canary-verbs.ts'
import { addChangingVerbs } from './changing-verbs.ts'
import { addControlVerb } from './control-verb.ts'
import { addPreviewVerb } from './preview-verb.ts'
import { addReadingVerbs } from './reading-verbs.ts'
import { addReportVerbs } from './report-verbs.ts'
import { Failed, jsonText, printFailure, say, Verb } from './verb.ts'

/**
 * Runs the command line.
 * @returns the exit code: 0 done, 1 refused or failed, 2 wrong use
 */
export async function runCli(args: readonly string[]): Promise<number> {
  try {
    await buildProgram().parseAsync([...args], { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof Failed) return 1
    const json = args.includes('--json')
    if (!(error instanceof CommanderError)) return printFailure(error, json)
    // Code 0 is --help. Commander has printed every other error.
    if (error.exitCode === 0) return 0
    if (json) say(jsonText({ ok: false, error: error.message, problems: [] }))
    return 2
  }
}

function buildProgram(): Verb {
  const program = new Verb('deploy')
    .description('Puts builds live as a site of files, and takes them back.')
    .option('--site <address>', 'folder or bucket; default: DEPLOY_SITE, or ./site')
    .option('--json', 'answer as JSON')
    .examples(`  $ deploy publish mf-auth                     put the build in mf-auth/dist live
  $ deploy rollback mf-auth                    back to its last good version
  $ deploy status --site s3://event-site
  $ deploy canary --help                       examples of one verb

The site is a folder (./site) or a bucket (s3://bucket/folder), named by --site or DEPLOY_SITE.`)
    // Inherited by the verbs.
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(deploy --help tells more)')

  addChangingVerbs(program)
  addCanaryVerbs(program)
  addPreviewVerb(program)
  addReadingVerbs(program)
  addReportVerbs(program)
  addControlVerb(program)
  return program
}
