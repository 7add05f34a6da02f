import { allPlans, fits } from '../canary/plan.ts'
import { UsageError } from '../rejected.ts'
import { HTTPS_HEADERS, headerRules } from '../serve/headers.ts'
import { type NginxOptions, nginxConfig } from '../serve/nginx.ts'
import { compositionOf } from '../site/compose.ts'
import { allRecords, currentSite } from '../site/record.ts'
import { FileTarget } from '../target/file-target.ts'
import { repair, verify } from '../verbs/verify.ts'
import { wholeNumber } from './arguments.ts'
import { historyText, problemText, statusText } from './text.ts'
import { jsonText, type Verb } from './verb.ts'

export function addReadingVerbs(program: Verb): void {
  program
    .command('status')
    .description('What is live')
    .answers(async ({ target }) => {
      const record = await currentSite(target)
      const plans = (await allPlans(target)).filter((plan) => fits(record, plan))
      return { json: { ...record, plans }, text: statusText(record, plans, target.url, new Date()) }
    })

  program
    .command('history [package]')
    .description('Who changed what, the newest first')
    .option('--limit <n>', 'at most so many', wholeNumber, 20)
    .answers(async ({ target }, name: string | undefined, { limit }: { limit: number }) => {
      const all = await allRecords(target)
      const known = [...new Set(all.flatMap(({ change }) => change.packages))].sort()
      if (name !== undefined && !known.includes(name))
        throw new Error(`This site never had a package ${name}; it has ${known.join(', ')}`)
      const records = all
        .filter(({ change }) => name === undefined || change.packages.includes(name))
        .reverse()
        .slice(0, limit)
      return { json: records, text: historyText(records, new Date()) }
    })

  program
    .command('verify')
    .description(
      'Check every file of the site against its hash, and the pages against the newest composition',
    )
    .option('--repair', 'write pages and pointer anew first')
    .answers(async ({ target }, { repair: mend }: { repair?: boolean }) => {
      if (mend) await repair(target)
      const { problems, files } = await verify(target)
      const ok = problems.length === 0
      const text = ok
        ? `${files} files are as they should be.`
        : `${problems.map(problemText).join('\n')}\n\n${problems.length} problems.`
      return { json: { ok, files, problems }, text, failed: !ok }
    })

  program
    .command('nginx')
    .description("nginx's configuration for a site in a folder, with the headers of the small server")
    .option('--server-name <name>', 'host name of the site', '_')
    .option('--listen <port>', 'as nginx takes it', '80')
    .option('--api <host:port>', 'where the API listens', '127.0.0.1:3001')
    .option('--root <folder>', 'the site as nginx sees it; default: that of --site')
    .option('--brotli', 'nginx has the module brotli_static')
    .answers(
      async (
        { target },
        options: Omit<NginxOptions, 'root' | 'brotli'> & { root?: string; brotli?: true },
      ) => {
        const root = options.root ?? (target instanceof FileTarget ? target.root : undefined)
        if (!root) throw new UsageError('nginx serves a folder: name the one that holds the site by --root.')
        return { text: await nginxConfig(await currentSite(target), { brotli: false, ...options, root }) }
      },
    )
    .examples('  $ deploy nginx --server-name event.example > /etc/nginx/sites-enabled/event')

  program
    .command('headers')
    .description('Response headers by path, as JSON: for a CDN in front of a bucket')
    .answers(async ({ target }) => {
      const record = await currentSite(target)
      const always = headerRules(compositionOf(record), record.config)
      return { text: jsonText({ always, overHttps: HTTPS_HEADERS }) }
    })
}
