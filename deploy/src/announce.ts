import { errorMessage } from '@anniversary/shared/error-message'

/** Tells the channel behind `DEPLOY_WEBHOOK` (Slack's format). @returns what to warn of: a deaf channel stops nothing */
export async function announce(text: string): Promise<string[]> {
  const url = process.env.DEPLOY_WEBHOOK
  if (!url) return []
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
      signal: AbortSignal.timeout(5000),
    })
    return response.ok ? [] : [`DEPLOY_WEBHOOK answered ${response.status}`]
  } catch (error) {
    return [`DEPLOY_WEBHOOK does not answer: ${errorMessage(error)}`]
  }
}
