import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../rejected.ts'
import { compositionOf } from '../site/compose.ts'
import type { SiteRecord } from '../site/record.ts'
import { contentTypeOf } from '../target/compress.ts'
import { pageTexts } from '../texts.ts'
import { type HeaderRule, HTTPS_HEADERS, headerRules } from './headers.ts'
import { WORKER_REMOVER } from './worker-remover.ts'

export interface NginxOptions {
  readonly root: string
  readonly serverName: string
  /**
   * A port alone means IPv4 and IPv6. With a certificate, port 80 redirects.
   */
  readonly listen: string
  readonly api: readonly string[]
  readonly cache: string
  readonly cert?: string
  readonly key?: string
  readonly brotli?: true
}

const TEMPLATE = join(import.meta.dirname, 'nginx.conf.template')

const TYPES =
  'html css js mjs json map webmanifest txt xml ics svg png jpg jpeg webp avif gif ico woff2 woff wasm mp4 webm pdf'
    .split(' ')
    .map((ending) => [ending, `"${contentTypeOf(`x.${ending}`)}"`] as const)

export async function nginxConfig(record: SiteRecord, options: NginxOptions): Promise<string> {
  const { serverName } = options
  const root = `"${quoted(options.root)}"`
  const types = TYPES.map(([, type]) => type)
  const rules = headerRules(compositionOf(record), record.config)
  const values: Record<string, string> = {
    NUMBER: String(record.number),
    HSTS: quoted(HTTPS_HEADERS['strict-transport-security']),
    // By default nginx leaves a failed process out for ten seconds.
    API: options.api
      .map((address) => `  server ${address} max_fails=1 fail_timeout=1s;`)
      .join('\n'),
    PROXY,
    WORKER: WORKER_REMOVER,
    CACHE: `"${quoted(options.cache)}"`,
    UNAVAILABLE: pageTexts.unavailable,
    TOO_MANY: pageTexts.tooMany,
    TOO_LARGE: pageTexts.tooLarge,
    LISTEN: listenLines(options),
    REDIRECT: redirect(options, root),
    SERVER_NAME: serverName,
    ROOT: root,
    BROTLI: options.brotli ? '  brotli_static on;\n' : '',
    TYPES: TYPES.map(([ending, type]) => `    ${type} ${ending};`).join('\n'),
    TEXTS: [...new Set(types.filter((type) => type.includes('charset')))].join(' '),
    NOT_FOUND: pageTexts.notFound,
    LOCATIONS: rules.map(location).join('\n\n'),
  }
  const template = await readFile(TEMPLATE, 'utf8')
  return template.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole)
}

const PROXY = `    # Answers are small and hold secrets, whose length compression would tell (BREACH).
    gzip off;
    proxy_pass http://deploy_api;
    proxy_http_version 1.1;
    proxy_set_header connection "";
    proxy_set_header host $host;
    proxy_set_header x-forwarded-for $proxy_add_x_forwarded_for;
    proxy_set_header x-forwarded-proto $scheme;
    # A machine that is gone costs a call one second, and one on a kept connection twelve, as a frozen process does: the
    # API answers each call within ten, nginx checks no health, and by time alone a slow database looks the same.
    proxy_connect_timeout 1s;
    proxy_send_timeout 12s;
    proxy_read_timeout 12s;
    error_page 413 = @large;
    # A carrier puts many members behind one address.
    limit_conn deploy_networks 1000;
    limit_req_status 429;
    error_page 429 = @slower;
    error_page 500 502 503 504 = @away;`

function addressesOf(listen: string): string[] {
  if (/^\d+$/.test(listen)) return [listen, `[::]:${listen}`]
  return [listen]
}

const listenOn = (listen: string, protocols = '') =>
  addressesOf(listen)
    .map((address) => `  listen ${address}${protocols};`)
    .join('\n')

function listenLines({ listen, cert, key }: NginxOptions): string {
  if (!cert || !key) return listenOn(listen)
  return `${listenOn(listen, ' ssl http2')}\n${certificateLines(cert, key)}`
}

const certificateLines = (cert: string, key: string) => `  ssl_certificate "${quoted(cert)}";
  ssl_certificate_key "${quoted(key)}";
  ssl_protocols TLSv1.2 TLSv1.3;
  ssl_session_cache shared:deploy_tls:10m;`

/** Certificate authorities ask for these files on http. */
function redirect({ cert, listen, serverName }: NginxOptions, root: string): string {
  if (!cert) return ''
  return `
server {
${listenOn(listen.replace(/\d+$/, '80'))}
  server_name ${serverName};
  location ^~ /.well-known/acme-challenge/ { root ${root}; }
  location / { return 301 https://$host$request_uri; }
}
`
}

const FILES: Readonly<Record<string, string>> = {
  page: '$uri $uri/index.html /index.html',
  preview: '$uri $uri/index.html',
}

function location({ name, pattern, headers }: HeaderRule): string {
  const files = FILES[name] ?? '$uri'
  const lines = [
    `location ~ "${pattern}" {`,
    '  if ($request_method !~ ^(GET|HEAD)$) { return 405; }',
    `  try_files ${files} =404;`,
    ...Object.entries(headers).map(
      ([header, value]) => `  add_header ${header} "${quoted(value)}";`,
    ),
    '  add_header strict-transport-security $deploy_hsts;',
    '}',
  ]
  return lines.map((line) => `  ${line}`).join('\n')
}

/** @throws UsageError on `$`, which nginx cannot escape */
function quoted(text: string): string {
  if (text.includes('$'))
    throw new UsageError(`Cannot be written in nginx's configuration, for its $: ${text}`)
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')
}
