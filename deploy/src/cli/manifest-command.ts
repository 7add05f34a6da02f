import { type Description, describeBuild } from '../builds/describe-build.ts'
import { UsageError } from '../rejected.ts'
import type { DeployCommand } from './command.ts'

type ManifestOptions = Omit<Description, 'exposes'> & { readonly expose: readonly string[] }

export function addManifestCommand(program: DeployCommand): void {
  program
    .command('manifest <dist>')
    .description('Write build.json for a federated build of webpack, Rspack, Rsbuild or Vite, and check it')
    .requiredOption('--entry <file>', 'that makes the container: remoteEntry.js, or remoteEntry.*.js')
    .requiredOption('--expose <module=files...>', 'files of a page: ./WinnersPage=winners.*.js,winners.*.css')
    .option('--contract <version>', 'of the host that it needs; default: that of this release')
    .prints(async (dist: string, { expose, ...options }: ManifestOptions) => {
      const exposes: Record<string, string[]> = {}
      for (const [name, files] of expose.map(exposeOf)) exposes[name] = [...(exposes[name] ?? []), ...files]
      const { build, version } = await describeBuild(dist, process.cwd(), { ...options, exposes })
      const routes = Object.keys(build.routes).join(', ') || 'none in routes.json'
      const text = `${build.name} ${version}: ${Object.keys(build.files).length} files, entry ${build.entry}, routes: ${routes}`
      return { json: { ok: true, name: build.name, version }, text }
    })
    .examples(`  $ deploy manifest dist --entry remoteEntry.js --expose ./WinnersPage=winners.js

Run it in the folder of the remote: name and version come from package.json, what the shell shares from its
peerDependencies, and routes from routes.json.`)
}

function exposeOf(given: string): [expose: string, patterns: string[]] {
  const [expose = '', files] = given.split('=')
  if (expose.startsWith('./') && files) return [expose, files.split(',')]
  throw new UsageError(`${given} is no expose: write ./WinnersPage=winners.js`)
}
