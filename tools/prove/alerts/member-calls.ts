import type { Stack } from './stack.ts'

/* Calls of members and of the back office, in turn at each server. */

let calls = 0
export async function postCall(
  stack: Stack,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: object,
): Promise<void> {
  calls += 1
  const response = await fetch(`${stack.origins[calls % stack.origins.length]}/api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
  })
  await response.arrayBuffer()
}

export function sendClaim(stack: Stack, mission = 'NAP_300'): Promise<void> {
  const { token = '' } = stack.players[calls % stack.players.length] ?? {}
  const path = `client/take-code?event_code_detail=${mission}`
  return postCall(stack, path, { 'x-sign-key': token }, { event_code_detail: mission })
}

let names = 0
export function newName(): string {
  names += 1
  return `guessed${names}`
}

export const sendLogin = (stack: Stack, username: string, address: string) =>
  postCall(
    stack,
    'client/login',
    { 'x-forwarded-for': address },
    {
      site: 'ANNIVERSARY',
      username,
      lastBankNumber: '9999',
    },
  )
