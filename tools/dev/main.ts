import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import { createFront } from './front.ts'

/** `npm run dev` of a remote: alone in its harness, or inside a deployed site. */

function origin(text: string): URL {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidArgumentError('give an address like https://staging.example')
  return new URL(new URL(text).origin)
}
function port(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError('give a port from 0 to 65535')
  return Number(text)
}

const program = new Command('dev')
  .description('Runs this remote with hot reload: alone in its harness, or inside a deployed site.')
  .addOption(new Option('--site <url>', 'shows that site with only this remote from here').argParser(origin))
  .addOption(new Option('--front-port <port>', "port of the site's front").argParser(port).default(3100))
  .addOption(
    new Option('--port <port>', 'port of the dev server (default: the one in rspack.config.js)').argParser(
      port,
    ),
  )
  .addHelpText(
    'after',
    `
Examples:
  npm run dev -w mf-missions
  npm run dev -w mf-missions -- --site http://localhost:3000
  npm run dev -w mf-missions -- --site https://staging.example --front-port 3200`,
  )
  .parse()
const options = program.opts<{ site?: URL; frontPort: number; port?: number }>()

const folder = process.cwd()
// npm runs a script in its package's folder.
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name: string }
const name = manifest.name.replace(/^@[^/]+\//, '')
const rspack = join(
  dirname(createRequire(join(folder, 'package.json')).resolve('@rspack/cli/package.json')),
  'bin/rspack.js',
)

function serve(args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [rspack, 'serve', ...args], {
    cwd: folder,
    stdio: ['inherit', 'pipe', 'inherit'],
  })
  child.stdout?.pipe(process.stdout)
  child.on('exit', (code) => process.exit(code ?? 1))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => child.kill('SIGTERM'))
  return child
}

const child = serve([
  // 'auto' is any free port too, and the page then knows which to ask for changes.
  ...(options.port === undefined ? [] : ['--port', options.port === 0 ? 'auto' : String(options.port)]),
  ...(options.site ? ['--env', `site=${options.site.origin}`] : []),
])
const { site } = options
if (site) {
  let begun = false
  child.stdout?.on('data', (chunk: Buffer) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the dev server colours its line
    const found = /http:\/\/localhost:(\d+)/.exec(chunk.toString().replace(/\x1b\[\d+m/g, ''))
    if (!found || begun) return
    begun = true
    const front = createFront(site, { remote: name, origin: `http://localhost:${found[1]}` })
    front.on('error', (error: NodeJS.ErrnoException) => {
      console.error(
        error.code === 'EADDRINUSE'
          ? `Port ${options.frontPort} is taken: choose another by --front-port`
          : error.message,
      )
      child.kill('SIGTERM')
      process.exitCode = 1
    })
    front.listen(options.frontPort, '127.0.0.1', () => {
      const { port: taken } = front.address() as AddressInfo // a TCP server's address is never a string
      console.log(`\n${site.origin} with ${name} from here: http://localhost:${taken}\n`)
    })
  })
}
