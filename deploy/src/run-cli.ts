import { callServer, serverOf } from './cli/call-server.ts'
import { print, siteOf } from './cli/command.ts'
import type { Extension } from './cli/extension.ts'
import { addNginxCommand } from './cli/nginx-command.ts'
import { execute } from './cli/program.ts'

/** Runs a command line and prints its result. @returns the exit code */
export async function runCli(args: readonly string[], extension: Extension = {}): Promise<number> {
  const result = await execute(
    args,
    async (command, work) => {
      const server = serverOf(command)
      return server ? await callServer(server, command, args) : await work(await siteOf(command))
    },
    extension,
    (program) => {
      program
        .option('--site <address>', 'folder or bucket; default: DEPLOY_SITE, or the site in ./site')
        .option(
          '--to <url>',
          'deploy server before the site; default: DEPLOY_TO, unless --site is named',
        )
        .option('--json', 'answer as JSON')
      addNginxCommand(program)
      extension.addLocalCommands?.(program)
    },
  )
  print(result, args.includes('--json'))
  return result.exitCode ?? 0
}
