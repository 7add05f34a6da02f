import { duration, percent, wholeNumber } from '@anniversary/deploy/cli/arguments'
import type { DeployCommand } from '@anniversary/deploy/cli/command'
import { InvalidArgumentError } from 'commander'
import { planCanary } from '../canary/analysis.ts'

function steps(text: string): number[] {
  const shares = text.split(',').map(percent)
  const rises = shares.every((share, n) => share > (shares[n - 1] ?? 0))
  if (rises && shares.at(-1) === 100) return shares
  throw new InvalidArgumentError('Percentages must increase and end at 100: 25,50,100.')
}

/** Adds `canary auto` to the canary commands of `deploy`. */
export function addCanaryAuto(program: DeployCommand): void {
  const canary = program.commands.find((command) => command.name() === 'canary') as DeployCommand // made by its parent
  canary
    .command('auto <remote>')
    .description('Take a running canary through these shares while members fare no worse with it')
    .requiredOption('--steps <percentages>', 'shares of the visitors: 25,50,100', steps)
    .option('--every <time>', 'a step takes so long at least', duration, 600_000)
    .option('--views <n>', 'and so many views of each version', wholeNumber, 2000)
    .answers(
      async (
        context,
        remote: string,
        options: { steps: number[]; every: number; views: number },
      ) => {
        const needs = await planCanary(context, remote, options)
        const text = `${remote} ${needs}\nThe deploy server compares it once a minute: see deploy status.`
        return { text, json: { ok: true, needs } }
      },
    )
    .examples(`  $ deploy canary start ./mf-auth --percent 5
  $ deploy canary auto mf-auth --steps 25,50,100 --every 10m
                                      until everyone has it, or until it does harm`)
}
