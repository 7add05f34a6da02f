import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compositionOf } from '../site/compose.ts'
import type { SiteRecord } from '../site/record.ts'
import { typeOf } from '../target/compress.ts'
import { texts } from '../texts.ts'
import { type HeaderRule, HTTPS_HEADERS, headerRules } from './headers.ts'

export interface NginxOptions {
  readonly root: string
  readonly serverName: string
  readonly listen: string
  readonly api: string
  readonly brotli?: true
}

const TEMPLATE = join(import.meta.dirname, 'nginx.conf.template')

const TYPES =
  'html css js mjs json map webmanifest txt xml ics svg png jpg jpeg webp avif gif ico woff2 woff wasm mp4 webm pdf'
    .split(' ')
    .map((ending) => [ending, `"${typeOf(`x.${ending}`)}"`] as const)

export async function nginxConfig(record: SiteRecord, options: NginxOptions): Promise<string> {
  const rules = headerRules(compositionOf(record), record.config)
  const values: Record<string, string> = {
    NUMBER: String(record.number),
    HSTS: quoted(Object.values(HTTPS_HEADERS)[0] ?? ''),
    API: options.api,
    LISTEN: options.listen,
    SERVER_NAME: options.serverName,
    ROOT: `"${quoted(options.root)}"`,
    BROTLI: options.brotli ? '  brotli_static on;\n' : '',
    TYPES: TYPES.map(([ending, type]) => `    ${type} ${ending};`).join('\n'),
    TEXTS: [...new Set(TYPES.flatMap(([, type]) => (type.includes('charset') ? type : [])))].join(' '),
    NOT_FOUND: texts.notFound,
    LOCATIONS: rules.map(location).join('\n\n'),
  }
  const template = await readFile(TEMPLATE, 'utf8')
  return template.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole)
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
    ...Object.entries(headers).map(([header, value]) => `  add_header ${header} "${quoted(value)}";`),
    '  add_header strict-transport-security $deploy_hsts;',
    '}',
  ]
  return lines.map((line) => `  ${line}`).join('\n')
}

/** Escapes a text between double quotes. Throws on `$`, which nginx cannot escape. */
function quoted(text: string): string {
  if (text.includes('$')) throw new Error(`nginx cannot say ${text}`)
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')
}
