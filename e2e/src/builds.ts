import { join } from 'node:path'
import { ROOT } from './stack.ts'
import { build, checkOut } from './variant.ts'

/** A real build whose code misbehaves in the given way (isolation/broken/rspack.config.js). */
export const brokenBuild = (way: string): string => join(ROOT, '.cache/isolation/broken', way)
/** A build that differs from the published one: the release before it. */
export const previousBuild = (remote: string): string => join(process.env.E2E_PREVIOUS ?? '', remote, 'dist')

/** Builds both kinds. */
export async function prepareBuilds(): Promise<void> {
  const differs = (name: string) =>
    [
      [`export default function ${name}`, `export const isPrevious = true\nexport default function ${name}`],
    ] as const
  const root = await checkOut({
    'mf-auth/src/LoginPage.tsx': differs('LoginPage'),
    'mf-history/src/HistoryPage.tsx': differs('HistoryPage'),
  })
  process.env.E2E_PREVIOUS = root
  await build(ROOT, 'e2e/isolation/broken')
  for (const remote of ['mf-auth', 'mf-history']) await build(root, remote)
}
