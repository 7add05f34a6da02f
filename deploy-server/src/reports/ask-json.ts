import type { z } from 'zod'

const TIMEOUT_MS = 10_000

interface Question<T> {
  readonly address: URL
  readonly headers?: Readonly<Record<string, string>>
  readonly schema: z.ZodType<T>
  /** What to do after a 401, and after another answer than expected. */
  readonly advice: { readonly unauthorized: string; readonly otherAnswer: string }
}

/**
 * @throws Error naming an address that does not answer, or answers something
 * else
 */
export async function requestJson<T>({
  address,
  headers = {},
  schema,
  advice,
}: Question<T>): Promise<T> {
  const response = await fetch(address, {
    headers,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'error',
  }).catch((cause: unknown) => {
    throw new Error(`${address} does not answer: ${cause}`, { cause })
  })
  if (response.status === 401) throw new Error(`${address} requires a key: ${advice.unauthorized}`)
  if (!response.ok) throw new Error(`${address} answered ${response.status}`)

  const text = await response.text()
  try {
    return schema.parse(JSON.parse(text, withoutControlCharacters))
  } catch (cause) {
    throw new Error(`${address} gave another answer: ${advice.otherAnswer}`, { cause })
  }
}

/** Anybody can report anything: control characters could steer a terminal. */
function withoutControlCharacters(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (key === 'stack') return value.replace(/(?!\n)\p{Cc}/gu, '�')
  return value.replace(/\p{Cc}/gu, '�')
}
