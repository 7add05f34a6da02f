import { rejected, UsageError } from '../rejected.ts'
import { HTTPS_HEADERS, headerRules } from '../serve/headers.ts'
import { type NginxOptions, nginxConfig } from '../serve/nginx.ts'
import { compositionOf } from '../site/compose.ts'
import { allRecords, currentSite, pointerNumber, type SiteRecord } from '../site/record.ts'
import { FileTarget } from '../target/file-target.ts'
import type { Target } from '../target/target.ts'
import { repair, verify } from '../verbs/verify.ts'
import { wholeNumber } from './arguments.ts'
import { type DeployCommand, jsonText } from './command.ts'
import type { Extension } from './extension.ts'
import { historyText, problemText, statusText, warningText } from './text.ts'

export function addReadingCommands(
  program: DeployCommand,
  { statusLines }: Pick<Extension, 'statusLines'>,
): void {
  program
    .command('status')
    .description('What is live')
    .answers(async ({ target }) => {
      const record = await currentSite(target)
      const lines = [...(await staleLines(target, record)), ...(await statusLines(target, record))]
      return { json: { ...record, lines }, text: statusText(record, lines, target.url) }
    })

  program
    .command('history [package]')
    .description('Who changed what, the newest first')
    .option('--limit <n>', 'at most so many', wholeNumber, 20)
    .answers(async ({ target }, name: string | undefined, { limit }: { limit: number }) => {
      await currentSite(target)
      const records = (await allRecords(target)).filter(
        ({ change }) => name === undefined || change.packages.includes(name),
      )
      if (records.length === 0)
        throw rejected(
          'site',
          name ?? 'the site',
          'no composition has changed it',
          'Look at `deploy history`',
        )
      const newest = records.reverse().slice(0, limit)
      return { json: newest, text: historyText(newest) }
    })

  program
    .command('verify')
    .description(
      'Check every file of the site against its hash, and the pages against the newest composition',
    )
    .option('--repair', 'write pages and pointer anew first')
    .answers(async (context, options: { repair?: boolean }) => {
      if (options.repair) await repair(context)
      const { problems, files } = await verify(context.target)
      const ok = problems.length === 0
      const text = ok
        ? `${files} files are as they should be.`
        : `${problems.map(problemText).join('\n')}\n\n${problems.length} problems.`
      return { json: { ok, files, problems }, text, exitCode: ok ? 0 : 1 }
    })

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
    .answers(async ({ target, caller }, options: Omit<NginxOptions, 'root'>) => {
      const { listen = options.cert ? '443' : '80', api } = options
      if (caller) throw new UsageError('Write it on the machine that has the folder of the site.')
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

  program
    .command('headers')
    .description('Response headers by path, as JSON: for a CDN in front of a bucket')
    .answers(async ({ target }) => {
      const record = await currentSite(target)
      const always = headerRules(compositionOf(record), record.config)
      return { text: jsonText({ always, overHttps: HTTPS_HEADERS }) }
    })
}

const collect = (one: string, before: readonly string[]): string[] => [...before, one]

/** A deploy that died, or one that is at work, has recorded a composition that not all pages show. */
async function staleLines(target: Target, { number, change }: SiteRecord): Promise<string[]> {
  const shown = await pointerNumber(target)
  if (shown === number) return []
  const again = change.verb === 'rollback' ? ', or the same rollback again' : ''
  return [
    warningText(
      `pages still show composition ${shown ?? 'none'}, not ${number}: \`deploy verify --repair\` finishes it${again}`,
    ),
  ]
}
