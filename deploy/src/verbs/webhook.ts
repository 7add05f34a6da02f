import { errorCode } from '@anniversary/shared/error-code'
import { UsageError } from '../rejected.ts'

/** @throws UsageError without the address, which is a secret */
export function checkWebhook(): void {
  const url = process.env.DEPLOY_WEBHOOK
  if (url && !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
    throw new UsageError('DEPLOY_WEBHOOK is no address: write https://…')
}

/** Posts in Slack's format. A failure only warns. */
export async function notifyWebhook(text: string): Promise<string[]> {
  const url = process.env.DEPLOY_WEBHOOK
  if (!url) return []
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
    signal: AbortSignal.timeout(5000),
  }).catch((error: { cause?: unknown }) => errorCode(error.cause) ?? 'no reason given')
  // The message may hold the address.
  if (typeof response === 'string') return [`DEPLOY_WEBHOOK does not answer (${response})`]
  if (response.ok) return []
  return [`DEPLOY_WEBHOOK answered ${response.status}`]
}
