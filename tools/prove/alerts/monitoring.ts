import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '@anniversary/api/prove/report'
import { freePorts } from '@anniversary/shared/testing/free-ports'
import { ROOT } from '../../packages.ts'
import { startProgram } from './programs.ts'

/*
 * Debian's Prometheus, Alertmanager and exporters on the shipped files, in
 * which only addresses and paths are replaced.
 */

export interface Monitored {
  readonly folder: string
  /** Free ports of the servers, by the ports in the shipped files. */
  readonly ports: Readonly<Record<string, number | undefined>>
  /** Folder of Postgres' socket. */
  readonly postgres: string
  /** An https address, and the certificate to trust. */
  readonly site: string
  readonly certificate: string
  /** Contents of files beside Prometheus' configuration, by name. */
  readonly secrets: Readonly<Record<string, string>>
}

/**
 * Shortens windows and waits of all rules but those for canaries: promtool
 * tests the real ones (api/alerts.test.yml).
 */
function shortenRules(rules: string): string {
  const [others = '', canary = ''] = rules.split(/(?=\n {2}# A canary against)/)
  return others.replace(/\[(5|10|15)m\]/g, '[1m]').replace(/for: (1|2|5|15)m/g, 'for: 10s') + canary
}

export async function startMonitoring(monitored: Monitored) {
  const { folder } = monitored
  const [prometheus, alertmanager, node, postgres, blackbox] = await freePorts(5)
  const textfiles = join(folder, 'textfiles')
  await mkdir(textfiles, { recursive: true })

  const ports: Monitored['ports'] = {
    ...monitored.ports,
    9093: alertmanager,
    9100: node,
    9115: blackbox,
    9187: postgres,
  }
  const place = async (from: string, to: string, change = (text: string) => text) => {
    const text = change(await readFile(join(ROOT, from), 'utf8'))
      .replace(
        /(?:127\.0\.0\.1|database-address):(\d+)/g,
        (_, port: string) => `127.0.0.1:${ports[port]}`,
      )
      .replace('site-address', monitored.site)
      .replaceAll('/etc/prometheus/', `${folder}/`)
    await writeFile(join(folder, to), text)
  }
  await place('packaging/prometheus.yml', 'prometheus.yml', (text) =>
    text.replaceAll(/^ {2}#(?=-| {2})/gm, '  '),
  )
  await place('packaging/alertmanager.yml', 'alertmanager.yml', (text) =>
    text.replace('    webhook_configs: [{ url: on-call-webhook }]\n', ''),
  )
  await place('api/alerts.yml', 'alerts.yml', shortenRules)
  for (const [name, secret] of Object.entries(monitored.secrets))
    await writeFile(join(folder, name), secret)

  const listen = (port: number | undefined) => `--web.listen-address=127.0.0.1:${port}`
  startProgram('prometheus-node-exporter', [
    listen(node),
    `--collector.textfile.directory=${textfiles}`,
    '--log.level=error',
  ])
  startProgram('prometheus-postgres-exporter', [listen(postgres), '--log.level=error'], {
    DATA_SOURCE_NAME: `host=${monitored.postgres} user=postgres dbname=postgres sslmode=disable`,
  })
  startProgram(
    'prometheus-blackbox-exporter',
    [listen(blackbox), '--config.file=/etc/prometheus/blackbox.yml', '--log.level=error'],
    { SSL_CERT_FILE: monitored.certificate },
  )
  startProgram('prometheus-alertmanager', [
    listen(alertmanager),
    `--config.file=${folder}/alertmanager.yml`,
    `--storage.path=${folder}/alertmanager`,
    '--cluster.listen-address=',
    '--log.level=error',
  ])
  startProgram('prometheus', [
    listen(prometheus),
    `--config.file=${folder}/prometheus.yml`,
    `--storage.tsdb.path=${folder}/prometheus`,
    '--log.level=error',
  ])

  const url = `http://127.0.0.1:${prometheus}`
  async function ask<T>(call: string): Promise<T> {
    const response = await fetch(`${url}/api/v1/${call}`)
    const { data } = (await response.json()) as { data: T } // of this version's API
    return data
  }
  await until('the start of Prometheus', async () => {
    const response = await fetch(`${url}/-/ready`).catch(() => undefined)
    return response?.ok
  })

  return {
    textfiles,
    /** Returns the number of series that an expression has now. */
    async countSeries(query: string): Promise<number> {
      const { result } = await ask<{ result: unknown[] }>(
        `query?query=${encodeURIComponent(query)}`,
      )
      return result.length
    },
    async readAlertNames(): Promise<string[]> {
      const { groups } = await ask<{ groups: RuleGroup[] }>('rules?type=alert')
      return groups.flatMap(({ rules }) => rules.map(({ name }) => name))
    },
    async readFiring(): Promise<Set<string>> {
      const { alerts } = await ask<{ alerts: FiringAlert[] }>('alerts')
      const firing = alerts.filter(({ state }) => state === 'firing')
      return new Set(firing.map(({ labels }) => labels.alertname))
    },
  }
}

interface RuleGroup {
  readonly rules: readonly { readonly name: string }[]
}

interface FiringAlert {
  readonly state: string
  readonly labels: { readonly alertname: string }
}

export type Monitoring = Awaited<ReturnType<typeof startMonitoring>>
