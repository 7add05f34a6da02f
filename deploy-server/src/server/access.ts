import { createHash, randomBytes } from 'node:crypto'
import { lchown, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { dirname } from 'node:path'
import { issuesOf, UsageError } from '@anniversary/deploy/rejected'
import {
  type Caller,
  mayChangePart,
  PERMISSIONS,
  type Permission,
  SITE_SETTINGS,
} from '@anniversary/deploy/site/context'
import { errorCode } from '@anniversary/shared/error-code'
import { z } from 'zod'

/* Read anew for each request, so a revoked token is worthless at once. */

const grantSchema = z.object({
  name: z.string().regex(/^\S(.{0,62}\S)?$/, 'a name has 1 to 64 characters'),
  /** SHA-256 of the token, which is random, so nobody finds it by its hash. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  packages: z
    .array(z.string().regex(/^(\*|[a-z][a-z0-9-]{0,63})$/, 'a package, or * for all'))
    .min(1),
  may: z.enum(PERMISSIONS).default('everything'),
})
export type Grant = z.infer<typeof grantSchema>

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

export async function readAccessFile(file: string): Promise<Grant[]> {
  const text = await readFile(file, 'utf8')
  const { data, error } = z.array(grantSchema).safeParse(jsonOf(text))
  if (data) return data
  throw new Error(`${file} is not valid: ${issuesOf(error).join('; ')}`)
}

export function bearerTokenOf({ headers }: IncomingMessage): string {
  const { authorization = '' } = headers
  return /^Bearer ([\w-]+)$/.exec(authorization)?.[1] ?? ''
}

/**
 * Returns null for unknown tokens and Alertmanager's.
 * @throws Error when the access file is missing or broken
 */
export const callerOfToken = (file: string, token: string): Promise<Caller | null> =>
  findCaller(file, token, (may) => may !== 'stop-canaries')

/**
 * Returns null for all tokens but Alertmanager's.
 * @throws Error when the access file is missing or broken
 */
export const alertCallerOf = (file: string, token: string): Promise<Caller | null> =>
  findCaller(file, token, (may) => may === 'stop-canaries')

function mayPublishPart(grant: Grant, part: string): boolean {
  const isAllowed = grant.may === 'publish' && !SITE_SETTINGS.includes(part)
  return (isAllowed || grant.may === 'everything') && mayChangePart(grant, part)
}

async function findCaller(
  file: string,
  token: string,
  accepts: (may: Permission) => boolean,
): Promise<Caller | null> {
  const grants = await readAccessFile(file).catch((cause: unknown) => {
    const message = 'No token is valid: the access file of the deploy server is missing or broken.'
    throw new Error(message, { cause })
  })
  const grant = grants.find(({ hash, may }) => hash === hashOf(token) && accepts(may))
  if (!grant || !token) return null

  const { name, packages, may } = grant
  return {
    name,
    packages,
    may,
    whoMay: (part) => grants.filter((one) => mayPublishPart(one, part)).map((one) => one.name),
    isKnown: async () => (await findCaller(file, token, accepts)) !== null,
  }
}

/** @returns the token, which is not stored */
export async function addAccessToken(
  file: string,
  name: string,
  packages: readonly string[],
  may: Permission = 'everything',
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const { data: grant, error } = grantSchema.safeParse({ name, hash: hashOf(token), packages, may })
  if (!grant) throw new UsageError(issuesOf(error).join('; '))
  await changeAccess(file, (grants) => {
    if (!grants.some((one) => one.name === name)) return [...grants, grant]
    throw new UsageError(`${name} has a token already: deploy token revoke ${name}`)
  })
  return token
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const revokeAccessToken = (file: string, name: string): Promise<void> =>
  changeAccess(file, (grants) => {
    if (grants.some((one) => one.name === name)) return grants.filter((one) => one.name !== name)
    throw new UsageError(`Nobody is called ${name}: deploy token list`)
  })

/** The server is not root, and could not read a file of root. */
async function keepOwner(file: string, aside: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(file).catch(() => stat(dirname(file)))
  await lchown(aside, uid, gid)
}

/**
 * Only one process can create the new file, and readers find the old or the new
 * one.
 */
async function changeAccess(
  file: string,
  next: (grants: readonly Grant[]) => readonly Grant[],
): Promise<void> {
  const aside = `${file}.new`
  await writeFile(aside, '', { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error
    throw new UsageError(`Somebody else is changing ${file}. If nobody is, remove ${aside}.`)
  })
  try {
    const grants = await readAccessFile(file).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return []
      throw error
    })
    await writeFile(aside, `${JSON.stringify(next(grants), null, 2)}\n`)
    await keepOwner(file, aside)
    await rename(aside, file)
  } catch (error) {
    await rm(aside, { force: true })
    throw error
  }
}
