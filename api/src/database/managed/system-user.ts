import { chownSync, lchownSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Whom a process runs as. */
export interface SystemUser {
  readonly uid: number
  readonly gid: number
}

const UNPRIVILEGED = ['postgres', 'nobody', 'daemon']

/**
 * Postgres refuses to run as root: root's server runs as the owner of `folder`, or as a user without rights where that
 * is root too. @returns undefined when this process is not root's and runs the server as itself
 */
export function serverUser(folder: string): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  const { uid, gid } = statSync(folder)
  if (uid !== 0) return { uid, gid }
  const entries = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of UNPRIVILEGED) {
    const [, , uid, gid] = entries.find((entry) => entry.startsWith(`${name}:`))?.split(':') ?? []
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) }
  }
  return { uid: 65_534, gid: 65_534 }
}

/** Makes `user` the owner of a folder and all in it: a copy that root made is root's. */
export function giveTo({ uid, gid }: SystemUser, folder: string): void {
  if (statSync(folder).uid === uid) return
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(folder, name), uid, gid)
  // The folder last: when this was cut short, the next start does it again.
  chownSync(folder, uid, gid)
}
