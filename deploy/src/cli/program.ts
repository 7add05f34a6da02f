import { Command, CommanderError } from 'commander'
import { examples } from './arguments.ts'
import { addCanaryVerbs } from './canary-verbs.ts'
import { addChangingVerbs } from './changing-verbs.ts'
import { addControlVerb } from './control-verb.ts'
import { addPreviewVerb } from './preview-verb.ts'
import { printFailure, printJson } from './print.ts'
import { addReadingVerbs } from './reading-verbs.ts'
import { addReportVerbs } from './report-verbs.ts'

/**
 * Runs the command line.
 * @returns the exit code: 0 done, 1 refused or failed, 2 wrong use
 */
export async function runCli(args: readonly string[]): Promise<number> {
  let exitCode = 0
  const program = buildProgram((code) => {
    exitCode = code
  })
  try {
    await program.parseAsync([...args], { from: 'user' })
    return exitCode
  } catch (error) {
    const json = args.includes('--json')
    if (!(error instanceof CommanderError)) return printFailure(error, json)
    // Code 0 is --help. Commander has printed every other error.
    if (error.exitCode === 0) return 0
    if (json) printJson({ ok: false, error: error.message, problems: [] })
    return 2
  }
}

const EXAMPLES = examples(`  $ deploy publish mf-auth                     put the build in mf-auth/dist live
  $ deploy publish shell mf-auth mf-history    several at once: all or none
  $ deploy rollback mf-auth                    back to its last good version
  $ deploy rollback --to 41                    the whole site as it was in composition 41
  $ deploy canary ./mf-auth --percent 5        the build in mf-auth/dist for 5 % of the visitors
  $ deploy canary ./mf-auth --auto 5,25,50,100 --every 10m    judged by what members feel
  $ deploy preview ./mf-auth                   a link to the site with this build in it
  $ deploy promote mf-auth                     the canary for everyone
  $ deploy disable mf-megalive                 switch a remote off
  $ deploy health mf-auth                      what members feel, version by version
  $ deploy status --site s3://event-site

The site is a folder (./site) or a bucket (s3://bucket/folder), named by --site or DEPLOY_SITE.`)

function buildProgram(exit: (code: number) => void): Command {
  const program = new Command('deploy')
    .description('Puts builds live as a site of files, and takes them back.')
    .option('--site <address>', 'folder or bucket; default: DEPLOY_SITE, or ./site')
    .option('--json', 'answer as JSON')
    .addHelpText('after', EXAMPLES)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(deploy --help tells more)')

  addChangingVerbs(program)
  addCanaryVerbs(program, exit)
  addPreviewVerb(program)
  addReadingVerbs(program, exit)
  addReportVerbs(program)
  addControlVerb(program)
  return program
}
