import { stripVTControlCharacters } from 'node:util'
import { addCanaryVerbs, addChangingVerbs, addPreviewVerb } from './changing-verbs.ts'
import { addReadingVerbs, addReportVerbs } from './reading-verbs.ts'
import { type Answer, failureOf, type Runner, Verb } from './verb.ts'

/** @param more adds verbs that are not for everybody. Absent: the deploy server runs it, and prints nothing */
export async function execute(
  args: readonly string[],
  run: Runner,
  more?: (program: Verb) => void,
): Promise<Answer> {
  let answer: Answer = { text: '' }
  let said = ''
  const program = new Verb('deploy', run, (ended) => {
    answer = ended
  })
  if (!more) {
    const keep = (text: string) => {
      said += text
    }
    program.configureOutput({ writeOut: keep, writeErr: keep })
  }
  addVerbs(program)
  more?.(program)
  try {
    await program.parseAsync([...args], { from: 'user' })
  } catch (error) {
    answer = failureOf(error, said)
  }
  return more ? answer : { ...answer, text: stripVTControlCharacters(answer.text).trimEnd() }
}

function addVerbs(program: Verb): void {
  program
    .description('Puts builds live as a site of files, and takes them back.')
    .option('--site <address>', 'folder or bucket; default: DEPLOY_SITE, or the site in ./site')
    .option('--to <url>', 'deploy server before the site; default: DEPLOY_TO, unless --site is named')
    .option('--json', 'answer as JSON')
    .examples(`  $ deploy publish mf-auth                     put the build in mf-auth/dist live
  $ deploy rollback mf-auth                    back to its last good version
  $ deploy status --site s3://event-site
  $ deploy publish mf-auth --to https://deploy.example
  $ deploy canary --help                       examples of one verb

A deploy server (--to) wants your token in DEPLOY_TOKEN.`)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(deploy --help tells more)')

  addChangingVerbs(program)
  addCanaryVerbs(program)
  addPreviewVerb(program)
  addReadingVerbs(program)
  addReportVerbs(program)
}
