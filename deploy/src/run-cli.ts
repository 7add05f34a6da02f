import { callServer, serverAddressOf } from './cli/call-server.ts'
import { printResult } from './cli/command-result.ts'
import { addNginxCommand } from './cli/nginx-command.ts'
import { siteOf } from './cli/open-site.ts'
import { type Extension, executeCommandLine } from './cli/program.ts'

export async function runCli(args: readonly string[], extension: Extension = {}): Promise<number> {
  const result = await executeCommandLine(
    args,
    async (command, work) => {
      const server = serverAddressOf(command)
      if (server) return await callServer(server, command, args)
      return await work(await siteOf(command))
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
  printResult(result, args.includes('--json'))
  return result.exitCode ?? 0
}
