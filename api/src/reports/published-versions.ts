import { compositionSchema } from '@anniversary/shared/contract/composition'

const TIMEOUT_MS = 3000
/** The composition is read again at most this often, for versions that were published meanwhile. */
const REREAD_MS = 10_000

/** Returns `<package> <version>` of all releases that pages of the site may run now. */
async function readComposed(site: string): Promise<string[]> {
  const response = await fetch(new URL('composition.json', site), {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const { shell, remotes } = compositionSchema.parse(await response.json())
  const composed = Object.entries(remotes).flatMap(([remote, { current, previous, canary }]) =>
    [current, previous, canary?.release].flatMap((release) =>
      release ? `${remote} ${release.version}` : [],
    ),
  )
  return [`shell ${shell.version}`, ...composed]
}

/**
 * Returns a check whether the site has published a version. Without a site every version passes. A version stays known
 * after it was replaced, since pages stay open.
 * @param onError called when the site's composition cannot be read
 */
export function publishedVersions(
  site: string | undefined,
  onError: (error: unknown) => void,
): (remote: string, version: string) => Promise<boolean> {
  if (site === undefined) return async () => true
  // Failures whose cause is unknown name the page, without a version.
  const known = new Set(['page '])
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined
  const read = async () => {
    try {
      for (const release of await readComposed(site)) known.add(release)
    } catch (error) {
      onError(error)
    }
  }
  return async (remote, version) => {
    const isKnown = () => known.has(`${remote} ${version}`)
    if (!isKnown() && performance.now() - readAt > REREAD_MS) {
      readAt = performance.now()
      reading = read()
    }
    if (!isKnown()) await reading
    return isKnown()
  }
}
