import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import type { Origin } from '@anniversary/shared/contract/origin'

/**
 * Where a build of this folder comes from, by git, by the variables of GitHub's and GitLab's pipelines, and by the nearest
 * lockfile. What they do not say is left out.
 */
export function originOf(dir: string, env: NodeJS.ProcessEnv = process.env): Origin {
  const commit = git(dir, 'rev-parse', 'HEAD')
  const changes = commit && git(dir, 'status', '--porcelain')
  const { GITHUB_SERVER_URL: github, GITHUB_REPOSITORY: name, GITHUB_RUN_ID: run } = env
  const hosted = github && name ? `${github}/${name}` : undefined
  const known = {
    commit,
    dirty: changes ? true : undefined,
    repository: hosted ?? env.CI_PROJECT_URL ?? withoutPassword(git(dir, 'remote', 'get-url', 'origin')),
    builder:
      (hosted && run ? `${hosted}/actions/runs/${run}` : undefined) ?? env.CI_JOB_URL ?? userAndMachine(),
    lockfile: lockfileHash(dir),
  }
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value))
}

/** Undefined without git, outside a repository, and for an empty answer. */
function git(dir: string, ...args: string[]): string | undefined {
  try {
    const out = execFileSync('git', args, { cwd: dir, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return out.trim() || undefined
  } catch {
    return undefined
  }
}

/** Pipelines clone with a token in the address. */
const withoutPassword = (url: string | undefined): string | undefined => url?.replace(/\/\/[^/@]*@/, '//')

function userAndMachine(): string | undefined {
  try {
    return `${userInfo().username}@${hostname()}`
  } catch {
    // A container may run under a number that no account has.
    return undefined
  }
}

function lockfileHash(dir: string): string | undefined {
  const path = join(dir, 'package-lock.json')
  if (existsSync(path)) return createHash('sha256').update(readFileSync(path)).digest('hex')
  return dirname(dir) === dir ? undefined : lockfileHash(dirname(dir))
}
