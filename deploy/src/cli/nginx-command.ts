import { UsageError } from '../rejected.ts'
import { type NginxOptions, nginxConfig } from '../serve/nginx.ts'
import { currentSite } from '../site/record.ts'
import { FileTarget } from '../target/file-target.ts'
import type { DeployCommand } from './command.ts'

const collect = (one: string, before: readonly string[]): string[] => [...before, one]

export function addNginxCommand(program: DeployCommand): void {
  program
    .command('nginx')
    .description("nginx's configuration for a site in a folder, with the headers of the small server")
    .option('--server-name <name>', 'host name of the site', '_')
    .option('--listen <port>', 'port, or address and port; default: 80, with a certificate 443')
    .option('--api <host:port>', 'where a process of the API listens; repeat it for each', collect, [])
    .option('--cert <file>', 'certificate with its chain: TLS, HTTP/2, and port 80 redirects')
    .option('--key <file>', 'private key of the certificate')
    .option('--cache <folder>', 'for cached draws', '/var/cache/deploy-draws')
    .option('--brotli', 'nginx has the module brotli_static')
    .answers(async ({ target }, options: Omit<NginxOptions, 'root'>) => {
      const { listen = options.cert ? '443' : '80', api } = options
      if (target instanceof FileTarget)
        return {
          text: await nginxConfig(await currentSite(target), {
            ...options,
            listen,
            api: api.length > 0 ? api : ['127.0.0.1:3001'],
            root: target.root,
          }),
        }
      throw new UsageError('nginx serves a site in a folder.')
    })
    .examples(`  $ deploy nginx --server-name event.example > /etc/nginx/sites-enabled/event
  $ deploy nginx --server-name event.example --api 127.0.0.1:3001 --api 127.0.0.1:3002 \\
      --cert /etc/letsencrypt/live/event.example/fullchain.pem --key /etc/letsencrypt/live/event.example/privkey.pem`)
}
