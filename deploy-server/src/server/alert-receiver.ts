import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import type { Context } from '@anniversary/deploy/site/context'
import type { SiteRecord } from '@anniversary/deploy/site/record'
import type { Target } from '@anniversary/deploy/target/target'
import { withCanaryFor } from '@anniversary/deploy/verbs/canary'
import { changeSite } from '@anniversary/deploy/verbs/change'
import { z } from 'zod'
import { alertCallerOf, bearerTokenOf } from './access.ts'

/** Bytes. Alertmanager sends a kilobyte for each alert. */
const BODY_LIMIT = 2 ** 18

/**
 * Used members of Alertmanager's webhook
 * (https://prometheus.io/docs/alerting/latest/configuration/#webhook_config).
 */
const notificationSchema = z.object({
  alerts: z.array(
    z.object({
      status: z.enum(['firing', 'resolved']),
      labels: z.looseObject({
        alertname: z.string().regex(/^\w{1,64}$/),
        remote: z.string().optional(),
        version: z.string().optional(),
      }),
    }),
  ),
})
type Alert = z.infer<typeof notificationSchema>['alerts'][number]

/** Answers 503 when Alertmanager should try again. */
export async function answerAlerts(
  target: Target,
  access: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const answer = (status: number) => response.writeHead(status).end()
  try {
    const caller = await alertCallerOf(access, bearerTokenOf(request))
    if (!caller) return void answer(401)
    if (!(Number(request.headers['content-length']) <= BODY_LIMIT)) return void answer(413)

    const notification = notificationSchema.safeParse(await json(request).catch(() => null))
    if (!notification.success) return void answer(400)
    const context: Context = { target, caller, isDryRun: false }
    for (const alert of notification.data.alerts)
      if (alert.status === 'firing') await stopCanary(context, alert)
    answer(200)
  } catch (error) {
    console.error(error)
    answer(503)
  }
}

/**
 * Alertmanager repeats itself. A repeat finishes pages that do not show the
 * stop yet.
 */
async function stopCanary(context: Context, { labels }: Alert): Promise<void> {
  const { alertname, remote, version } = labels
  if (!remote || !version) return
  const runs = ({ remotes }: SiteRecord) => remotes[remote]?.canary?.release.version === version
  await changeSite(context, 'canary stop', {}, (site) => {
    if (!runs(site)) return { site, summary: 'No change' }
    const stopped = withCanaryFor(site, remote, 'nobody')
    return { ...stopped, summary: `${stopped.summary} by the alert ${alertname}` }
  })
}
