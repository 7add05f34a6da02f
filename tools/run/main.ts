import { spawn } from 'node:child_process'
import { Command } from 'commander'
import { ROOT } from '../packages.ts'
import { type NamedCommand, runnableCommands } from './commands.ts'

/**
 * `npm run prove -- NAME`, `npm run bench -- NAME`, `npm run audit -- NAME`:
 * runs a command of `commands.ts`.
 */

const SUMMARIES: Record<string, string> = {
  prove: 'Runs a proof that is too long for `npm test`. Each fails with what it found.',
  bench: 'Runs a benchmark, which prints a table.',
  audit: 'Runs a check of another tool.',
}

const [, , group = '', ...args] = process.argv
const program = new Command(`npm run ${group} --`)
  .description(SUMMARIES[group] ?? '')
  .enablePositionalOptions()
  .usage('NAME [options]')
  .helpCommand(false)
  .configureHelp({ subcommandTerm: (command) => command.name() })
  .addHelpText('after', `\nnpm run ${group} -- NAME --help says what may follow the name.`)

for (const [name, command] of Object.entries(runnableCommands[group] ?? {}))
  program
    .command(name)
    .description(describe(command))
    .argument('[options...]')
    .usage(command.arguments ?? '[options]')
    .helpOption(!command.hasHelp)
    .allowUnknownOption()
    .passThroughOptions()
    .action((options: string[]) => run(name, command.line, options))
program.parse(args, { from: 'user' })

function describe({ does, takes, needs }: NamedCommand): string {
  if (!needs) return `${does} (${takes})`
  return `${does} (${takes}; needs ${needs})`
}

function run(name: string, line: string, options: readonly string[]): void {
  // Its last command replaces the shell, and so gets the signals.
  const script = line.replace(/^(.* && )?(\w+=\S+ )?/, '$&exec ')
  // npm sends them to this process alone.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => shell.kill(signal))
  const shell = spawn('sh', ['-c', `${script} "$@"`, name, ...options], {
    cwd: ROOT,
    stdio: 'inherit',
  })
  shell.once('exit', (code) => {
    process.exitCode = code ?? 1
  })
}
