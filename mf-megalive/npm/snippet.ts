import { parseArgs } from 'node:util'
import { publishedScript } from '../src/preview/published-script.ts'
import { snippet } from '../src/preview/snippet.ts'

/**
 * `npm run snippet -w mf-megalive -- --site https://event.example --src https://live.example/register [--floating]`
 * prints what a page pastes, pinned to the version that the site serves now.
 */
const say = (text: string) => process.stdout.write(`${text}\n`)
const USAGE = 'Usage: npm run snippet -w mf-megalive -- --site URL --src URL [--back-href URL] [--floating]'

const {
  site,
  src,
  floating,
  'back-href': backHref,
} = parseArgs({
  options: {
    site: { type: 'string' },
    src: { type: 'string' },
    'back-href': { type: 'string' },
    floating: { type: 'boolean' },
  },
}).values

if (!site || !src) {
  say(USAGE)
  process.exit(1)
}
try {
  const script = await publishedScript(site)
  say(
    snippet({
      script: floating ? script.floating : script.pinned,
      integrity: floating ? undefined : script.integrity,
      src,
      backHref,
    }),
  )
} catch (error) {
  say(error instanceof Error ? error.message : String(error))
  process.exit(1)
}
