import { errorMessage } from '@anniversary/shared/error-message'

/** Posts a text to the channel behind `DEPLOY_WEBHOOK` (Slack's format). Returns warnings; a failure stops nothing. */
export async function notifyWebhook(text: string): Promise<string[]> {
  const url = process.env.DEPLOY_WEBHOOK
  if (!url) return []
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
    signal: AbortSignal.timeout(5000),
  }).catch(errorMessage)
  if (typeof response === 'string') return [`DEPLOY_WEBHOOK does not answer: ${response}`]
  return response.ok ? [] : [`DEPLOY_WEBHOOK answered ${response.status}`]
}
