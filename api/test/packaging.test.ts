import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { BATCH_BYTES } from '../src/backoffice/routes.ts'
import { GRACE_MS } from '../src/create-api.ts'
import { readConfiguration, variableNames } from '../src/server/config.ts'
import { PING_MS } from '../src/server/health.ts'
import { LIMITS } from '../src/server/lane.ts'
import { memberTexts } from '../src/texts.ts'
import { newFolder } from './folder.ts'

const packaging = join(import.meta.dirname, '../../packaging')
const units = readdirSync(join(packaging, 'systemd'))
const unit = (name: string) => join(packaging, 'systemd', name)
const folder = newFolder()

function analyze(...args: string[]): string {
  const { error, status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
  if (error)
    throw new Error(
      `systemd-analyze is required (Debian: apt-get install systemd): ${error.message}`,
    )
  return `${status}: ${stdout}${stderr}`
}

test('the units are valid', () => {
  const copies = units.map((name) => {
    const copy = join(folder, name)
    // Node may lie elsewhere here.
    const text = readFileSync(unit(name), 'utf8').replace('/usr/bin/node', process.execPath)
    writeFileSync(copy, text)
    return copy
  })
  expect(analyze('verify', ...copies)).toBe('0: ')
})

test.each(units.filter((name) => name.endsWith('.service')))('the unit %s is hardened', (name) => {
  const exposure = /exposure level for \S+ ([\d.]+)/.exec(
    analyze('security', '--offline=true', unit(name)),
  )
  expect(Number(exposure?.[1])).toBeLessThanOrEqual(2)
})

test.each(['event-api@.service', 'event-deploy.service'])('%s restarts without a limit', (name) => {
  expect(readFileSync(unit(name), 'utf8')).toMatch(/^StartLimitIntervalSec=0$.*^Restart=always$/ms)
})

test("journald keeps a crowd's lines of the API's unit", () => {
  expect(readFileSync(unit('event-api@.service'), 'utf8')).toMatch(/^LogRateLimitBurst=1000000$/m)
})

const guide = (name: string) => readFileSync(join(packaging, '../docs/operate', name), 'utf8')

test("the cluster has go live's database, and lets its exporter log in", () => {
  const [create] = /^CREATE DATABASE .*$/m.exec(guide('go-live.md')) ?? ['-']
  expect(guide('cluster.md').split('\n')).toContain(create)
  // Its exporter has a role of its own.
  expect(guide('cluster.md')).toContain('- local all all peer\n')
})

test("the cluster's database is named in the file that the API's unit reads", () => {
  const [, file, url] = /```\w+ (\S+)\n(postgres:[^`]*)```/.exec(guide('cluster.md')) ?? []
  const service = readFileSync(unit('event-api@.service'), 'utf8')
  expect(service).toContain(`LoadCredential=database-url:${file}\n`)
  expect(readConfiguration({ DATABASE_URL: url })).toHaveProperty('databaseUrl')
})

test('the API reads every variable of api.env.example, and of its unit', () => {
  const example = readFileSync(join(packaging, 'api.env.example'), 'utf8')
  const given = Object.fromEntries(
    [...example.matchAll(/^#?([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  )
  expect(readConfiguration(given)).toMatchObject({ trustProxy: 1, drainSeconds: 4 })
  const files = [unit('event-api@.service'), join(packaging, 'event-desk.conf')]
  const service = files.map((file) => readFileSync(file, 'utf8')).join('\n')
  const set = [...service.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = '']) =>
    line.split(' '),
  )
  const names = [
    ...Object.keys(given),
    ...set.map((pair) => pair.split('=')[0]?.replace(/_FILE$/, '') ?? ''),
  ]
  expect(names.filter((name) => !variableNames.includes(name))).toEqual([])
})

test("proxies and the API's unit fit the API's limits, and say its text", () => {
  const text = [
    'packaging/haproxy.cfg',
    'packaging/api.env.example',
    'packaging/systemd/event-api@.service',
    'deploy/src/serve/nginx.ts',
    'deploy/src/serve/nginx.conf.template',
  ]
    .map((path) => readFileSync(join(packaging, '..', path), 'utf8'))
    .join('\n')
  const found = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, value = '']) => value)
  const numberOf = (pattern: RegExp) => Number(found(pattern)[0])

  const waits = found(/(?:timeout server|proxy_(?:send|read)_timeout) (\d+)s/g).map(Number)
  expect(waits.filter((seconds) => seconds > LIMITS.deadlineSeconds)).toHaveLength(3)
  expect(numberOf(/timeout check (\d+)s/g) * 1000).toBeGreaterThan(PING_MS)
  expect(numberOf(/client_max_body_size (\d+)m/g) * 2 ** 20).toBeGreaterThanOrEqual(BATCH_BYTES)
  expect(numberOf(/^LimitNOFILE=(\d+)/gm)).toBeGreaterThan(LIMITS.connections)
  const stopSeconds = numberOf(/^DRAIN_SECONDS=(\d+)/gm) + GRACE_MS / 1000
  expect(numberOf(/^TimeoutStopSec=(\d+)/gm)).toBeGreaterThan(stopSeconds)
  expect(found(/string '.*"message":"([^"]*)"/g)).toEqual(Array(3).fill(memberTexts.busy))
})
