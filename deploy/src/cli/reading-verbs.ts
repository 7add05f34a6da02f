import { styleText } from 'node:util'
import { FACTS, type VersionCounts } from '@anniversary/shared/contract/report'
import { HOST_NAME } from '../builds/read-build.ts'
import { plansOf } from '../canary/plan.ts'
import { ago, percent, roleIn, shareOf, TITLES } from '../facts.ts'
import { rejected, UsageError } from '../rejected.ts'
import { type ErrorGroup, groupErrors, hoursBefore, readErrors, readViews } from '../reports/report-source.ts'
import { HTTPS_HEADERS, headerRules } from '../serve/headers.ts'
import { type NginxOptions, nginxConfig } from '../serve/nginx.ts'
import { compositionOf, remoteOf } from '../site/compose.ts'
import { allRecords, currentSite, type SiteRecord } from '../site/record.ts'
import { placeText } from '../site/source-maps.ts'
import { FileTarget } from '../target/file-target.ts'
import { repair, verify } from '../verbs/verify.ts'
import { bold, dim, historyText, problemText, statusText, table } from './text.ts'
import { jsonText, type Verb, wholeNumber } from './verb.ts'

export function addReadingVerbs(program: Verb): void {
  program
    .command('status')
    .description('What is live')
    .answers(async (target) => {
      const record = await currentSite(target)
      const plans = await plansOf(target, record)
      return { json: { ...record, plans }, text: statusText(record, plans, target.url) }
    })

  program
    .command('history [package]')
    .description('Who changed what, the newest first')
    .option('--limit <n>', 'at most so many', wholeNumber, 20)
    .answers(async (target, name: string | undefined, { limit }: { limit: number }) => {
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
    .answers(async (target, { repair: mend }: { repair?: boolean }) => {
      if (mend) await repair(target)
      const { problems, files } = await verify(target)
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
    .option('--listen <port>', 'as nginx takes it', '80')
    .option('--api <host:port>', 'where the API listens', '127.0.0.1:3001')
    .option('--brotli', 'nginx has the module brotli_static')
    .answers(async (target, options: Omit<NginxOptions, 'root'>) => {
      if (target instanceof FileTarget)
        return { text: await nginxConfig(await currentSite(target), { ...options, root: target.root }) }
      throw new UsageError('nginx serves a site in a folder.')
    })
    .examples('  $ deploy nginx --server-name event.example > /etc/nginx/sites-enabled/event')

  program
    .command('headers')
    .description('Response headers by path, as JSON: for a CDN in front of a bucket')
    .answers(async (target) => {
      const record = await currentSite(target)
      const always = headerRules(compositionOf(record), record.config)
      return { text: jsonText({ always, overHttps: HTTPS_HEADERS }) }
    })

  const reporting = (name: string): Verb =>
    program.command(name).option('--hours <n>', 'back from now', wholeNumber, 24)

  reporting('errors [remote]')
    .description('Errors of members’ pages, with the file and line in the sources')
    .answers(async (target, remote: string | undefined, { hours }: { hours: number }) => {
      const { config } = await currentSite(target)
      const since = hoursBefore(new Date(), hours)
      const errors = await readErrors(config, { remote, since })
      const groups = await groupErrors(target, errors)
      const none = `No page has reported an error in the last ${hours} hours.`
      return { json: groups, text: groups.map(errorText).join('\n') || none }
    })

  reporting('health <remote>')
    .description('What members feel of a remote: views of its versions, and how many of them went wrong')
    .answers(async (target, remote: string, { hours }: { hours: number }) => {
      const site = await currentSite(target)
      if (remote !== HOST_NAME) remoteOf(site, remote)
      const since = hoursBefore(new Date(), hours)
      const versions = await readViews(site.config, { remote, since })
      const none = `No page has reported a view in the last ${hours} hours.`
      return { json: versions, text: versions.length > 0 ? healthText(versions, site) : none }
    })
    .examples(`  $ deploy health mf-auth                     the last day
  $ deploy health mf-auth --hours 1

DEPLOY_REPORTS_KEY is the API's service key, which it wants from other machines.`)
}

function errorText(group: ErrorGroup): string {
  const { remote, phase, message, count, versions, routes, places, firstAt, lastAt } = group
  return [
    `${bold(`${count} ×`)} ${remote} ${styleText('red', phase)}: ${message}`,
    ...places.map(placeText).map((place, n) => (n === 0 ? `    ${place}` : dim(`    ${place}`))),
    dim(`    ${routes.join(', ')} in ${versions.join(', ')}; first ${ago(firstAt)}, last ${ago(lastAt)}`),
  ].join('\n')
}

const healthText = (versions: readonly VersionCounts[], site: SiteRecord): string =>
  table([
    ['version', '', 'views', ...FACTS.map((fact) => TITLES[fact])].map(dim),
    ...versions.map((counts) => [
      bold(counts.version),
      roleIn(site, counts),
      String(counts.views),
      ...FACTS.map((fact) => percent(shareOf(counts[fact], counts.views).value)),
    ]),
  ])
