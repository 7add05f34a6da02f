import { compositionSchema } from '@anniversary/shared/contract/composition'
import { HttpProblem } from '../server/answers.ts'
import { memberTexts } from '../texts.ts'

const TIMEOUT_MS = 3000
/** For versions that were published meanwhile. */
const REREAD_MS = 10_000

/**
 * Returns `<package> <version>` of all releases that pages of the site may run
 * now.
 */
async function readComposedReleases(site: string): Promise<string[]> {
  const response = await fetch(new URL('composition.json', site), {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const { shell, remotes } = compositionSchema.parse(await response.json())

  const releases = [`shell ${shell.version}`]
  for (const [remote, { current, previous, canary }] of Object.entries(remotes)) {
    for (const release of [current, previous, canary?.release])
      if (release) releases.push(`${remote} ${release.version}`)
  }
  return releases
}

/**
 * Returns a function that throws HttpProblem for a version that the site has
 * not published. Without a site every version passes. A version stays known,
 * since pages stay open.
 * @param onError called when the site's composition cannot be read
 */
export function publishedVersions(site: string | undefined, onError: (error: unknown) => void) {
  if (site === undefined) return async () => {}

  // Failures whose cause is unknown name the page, without a version.
  const known = new Set(['page '])
  let readAt = Number.NEGATIVE_INFINITY
  let reading = Promise.resolve()

  async function readAgain(from: string): Promise<void> {
    try {
      for (const release of await readComposedReleases(from)) known.add(release)
    } catch (error) {
      onError(error)
    }
  }

  return async (remote: string, version: string): Promise<void> => {
    const release = `${remote} ${version}`
    if (known.has(release)) return
    if (performance.now() - readAt > REREAD_MS) {
      readAt = performance.now()
      reading = readAgain(site)
    }
    await reading
    if (!known.has(release)) throw new HttpProblem(400, memberTexts.malformed)
  }
}
