import { addChangingVerbs } from './changing-verbs.ts'
import { addReadingVerbs } from './reading-verbs.ts'
import { type Answer, failureOf, type Runner, Verb } from './verb.ts'

/** @param local adds options and verbs that name places of this machine, or are not for everybody. */
export async function execute(
  args: readonly string[],
  run: Runner,
  local?: (program: Verb) => void,
): Promise<Answer> {
  let answer: Answer = { text: '' }
  let said = ''
  const keep = (text: string) => {
    said += text
  }
  const program = new Verb('deploy', run, (ended) => {
    answer = ended
  })
  program.configureOutput({ writeOut: keep, writeErr: keep })
  addVerbs(program)
  local?.(program)
  try {
    await program.parseAsync([...args], { from: 'user' })
  } catch (error) {
    answer = failureOf(error, said.trimEnd())
  }
  return answer
}

function addVerbs(program: Verb): void {
  program
    .description('Puts builds live as a site of files, and takes them back.')
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
  addReadingVerbs(program)
}
