import { changeCanary, startCanary } from '../verbs/canary.ts'
import type { CheckOptions } from '../verbs/derive.ts'
import { parsePercent } from './arguments.ts'
import { requireBuild } from './build-folders.ts'
import { addBuildCommand, addChangingCommand } from './changing-commands.ts'
import type { DeployCommand } from './command.ts'

interface Share {
  readonly percent: number
}

export function addCanaryCommands(program: DeployCommand): void {
  const canary = program
    .command('canary')
    .description('Give a build of one remote to a share of the visitors')
    .examples(`  $ deploy canary start ./mf-auth --percent 5   the build in mf-auth/dist for 5 % of the visitors
  $ deploy canary set mf-auth --percent 25      the same canary for more of them
  $ deploy canary stop mf-auth                  back to the current version for all
  $ deploy promote mf-auth                      the canary for everyone`)

  addBuildCommand(canary, 'start <build>')
    .description('Start a canary of a build (./mf-auth)')
    .requiredOption('--percent <n>', 'share of the visitors, 0 to 100', parsePercent)
    .changes((context, build: string, { percent, ...checks }: CheckOptions & Share) =>
      startCanary(context, requireBuild(context, build), percent, checks),
    )

  addChangingCommand(canary, 'set <remote>')
    .description('Change the share of a canary that runs')
    .requiredOption('--percent <n>', 'share of the visitors, 0 to 100', parsePercent)
    .changes((context, name: string, { percent }: Share) => changeCanary(context, name, percent))

  addChangingCommand(canary, 'stop <remote>')
    .description('End the canary: everyone gets the current version')
    .changes((context, name: string) => changeCanary(context, name, 'nobody'))

  addChangingCommand(program, 'promote <remote>')
    .description('Give the canary to everyone')
    .changes((context, name: string) => changeCanary(context, name, 'everyone'))
}
