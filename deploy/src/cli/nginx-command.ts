import { UsageError } from '../rejected.ts'
import { type NginxOptions, nginxConfig } from '../serve/nginx.ts'
import { currentSiteRecord } from '../site/record.ts'
import { FileTarget } from '../target/file-target.ts'
import { parserOf, portNumber } from './arguments.ts'
import type { DeployCommand } from './command.ts'

const HOST = String.raw`(\[[\da-fA-F:.]+\]|[\w.-]+)`
const ADDRESS = new RegExp(`^${HOST}:[1-9]\\d*$`)
const LISTEN = new RegExp(`^((${HOST}|\\*):)?[1-9]\\d*$`)

function listening(pattern: RegExp, text: string): string {
  const found = parserOf(pattern, '127.0.0.1:3001')(text)
  portNumber(found.replace(/^.*:/, ''))
  return found
}

const path = parserOf(/^\/[^\n]+$/, '/etc/…')

export function addNginxCommand(program: DeployCommand): void {
  program
    .command('nginx')
    .description(
      "nginx's configuration for a site in a folder, with the headers of the small server",
    )
    .option(
      '--server-name <name>',
      'host name of the site',
      parserOf(/^[\w.*-]+( [\w.*-]+)*$/, 'event.example'),
      '_',
    )
    .option(
      '--listen <port>',
      'port, or address and port, as 0.0.0.0:443 where IPv6 is off; default: 80, with a certificate 443',
      (text) => listening(LISTEN, text),
    )
    .option(
      '--api <host:port>',
      'where a process of the API listens; repeat it for each',
      (text, before: string[]) => [...before, listening(ADDRESS, text)],
      [],
    )
    .option('--cert <file>', 'certificate with its chain: TLS, HTTP/2, and port 80 redirects', path)
    .option('--key <file>', 'private key of the certificate', path)
    .option('--cache <folder>', 'for cached draws', path, '/var/cache/deploy-draws')
    .option('--brotli', 'nginx has the module brotli_static')
    .answers(async ({ target }, options: Omit<NginxOptions, 'root'>) => {
      if (!(target instanceof FileTarget)) throw new UsageError('nginx serves a site in a folder.')
      if (!options.cert !== !options.key) throw new UsageError('--cert and --key belong together.')
      const { listen = options.cert ? '443' : '80' } = options
      const api = options.api.length > 0 ? options.api : ['127.0.0.1:3001']
      const config = { ...options, listen, api, root: target.root }
      return { text: await nginxConfig(await currentSiteRecord(target), config) }
    })
    .examples(`  $ deploy nginx --server-name event.example > event.new && mv event.new /etc/nginx/sites-enabled/event
  $ deploy nginx --server-name event.example --api 127.0.0.1:3001 --api 127.0.0.1:3002 \\
      --cert /etc/letsencrypt/live/event.example/fullchain.pem --key /etc/letsencrypt/live/event.example/privkey.pem`)
}
