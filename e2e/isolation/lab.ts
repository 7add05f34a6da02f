import type { ComposedRemote, Composition, Release } from '@anniversary/shared/contract/composition'
import type { Page } from '@playwright/test'
import { enter } from '../src/member-test.ts'
import { test as base } from '../src/test.ts'
import { brokenBuild, prepareBuilds, previousBuild, releaseOf } from './builds.ts'
import type { FileKind } from './faults.ts'
import { type Front, startFront } from './front.ts'
import { patient as expect, SUBJECTS, type Subject } from './remotes.ts'

export { expect }

export const TEXTS = {
  failed: 'Không thể tải phần này',
  off: 'Tạm ngưng phục vụ',
  retry: 'Thử lại',
  crash: 'Đã có lỗi. Vui lòng tải lại trang.',
}

/** Version folder of every remote's older build. */
export const PREVIOUS = '0.9.0-aaaaaaaaaaaa'
const BROKEN = '1.1.0-bbbbbbbbbbbb'

interface LabWorker {
  readonly worker: { readonly front: Front; readonly foreign: Front }
}
interface LabTest {
  readonly lab: Lab
}

/** A site whose servers can be made to misbehave, and a member's page on it. */
export interface Lab {
  readonly front: Front
  /** A server of another origin with the same files. */
  readonly foreign: Front
  /** The page carries this remote in that state; the others as they are, without a second chance. */
  compose(subject: Subject, change: (remote: ComposedRemote) => ComposedRemote): void
  /** The older build of a remote, which works. */
  previous(subject: Subject): Release
  /** A release in a remote's name whose code misbehaves in the given way (broken/rspack.config.js). */
  broken(way: string, subject: Subject): Release
  /** A release as it is where its team has a server of its own. */
  on(origin: string, release: Release): Release
  /** Pattern of the paths of a release's files of a kind, with any query. */
  urls(release: Release, subject: Subject, kind: FileKind): RegExp
  /** What was reported, as `remote phase`, each once. */
  told(): readonly string[]
  /** What the loader did next, by each report. */
  nexts(): readonly (string | undefined)[]
  /** Opens a page as a document; as a logged-in member where it needs one. */
  open(page: Page, path: string): Promise<void>
  /** Documents that were asked for: more than one means that a page was reloaded. */
  pagesLoaded(): number
}

export const test = base.extend<LabTest, LabWorker>({
  worker: [
    async ({ stack }, use) => {
      await prepareBuilds()
      const [front, foreign] = await Promise.all([startFront(stack.url), startFront(stack.url)])
      for (const { remote } of SUBJECTS) front.serve(`/${remote}/${PREVIOUS}`, previousBuild(remote))
      await use({ front, foreign })
      await Promise.all([front.close(), foreign.close()])
    },
    { scope: 'worker', timeout: 240_000 },
  ],

  lab: async ({ worker: { front, foreign }, stack, context, page }, use) => {
    front.reset()
    foreign.reset()
    await enter(context, stack.url, 'demo03')
    await use({
      front,
      foreign,
      on: relocated,
      compose(subject, change) {
        front.compose((composition) => changed(composition, subject, change))
      },
      broken(way, { remote, expose }) {
        front.serve(`/${remote}/${BROKEN}`, brokenBuild(way))
        const release = releaseOf(brokenBuild(way), `/${remote}/${BROKEN}`)
        // A build that lacks the expose: the composition says it has it.
        const files = release.exposes[expose] ?? Object.values(release.exposes)[0]
        return { ...release, ...(files && { exposes: { [expose]: files } }) }
      },
      previous: ({ remote }) => releaseOf(previousBuild(remote), `/${remote}/${PREVIOUS}`),
      urls: (release, { expose }, kind) => filesPattern(release, expose, kind),
      told: () => [
        ...new Set(front.reports.map((report) => `${report['remote.name']} ${report['remote.phase']}`)),
      ],
      nexts: () => front.reports.map((report) => report['remote.next']),
      async open(page, path) {
        await page.goto(`${front.url}${path}`, { waitUntil: 'commit' })
      },
      pagesLoaded: () => front.asked.filter((url) => !/^\/api\/|\.\w+(\?|$)/.test(url)).length,
    })
    // What still waits for an answer would keep the next test's connections.
    await page.goto('about:blank')
  },

  // A broken part makes the browser say so. What a page's own code throws is asked for in its test.
  // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a destructured first parameter
  expectedErrors: async ({}, use) =>
    use([/Failed to load resource|integrity|MIME type|Loading chunk|preload/]),
})

/** A cell of the matrix, for its reporter. */
export function inMatrix(row: string, { remote }: { readonly remote: string }): void {
  test.info().annotations.push({ type: 'cell', description: JSON.stringify({ row, column: remote }) })
  test.setTimeout(90_000)
}

export const failedCard = (page: Page) => page.getByRole('alert').filter({ hasText: TEXTS.failed })
export const crashText = (page: Page) => page.getByRole('alert').filter({ hasText: TEXTS.crash })

/** What is around the broken part lives: the layout, and the network, which hung requests must not use up. */
export async function expectTheRestLives(page: Page, { layout }: Subject): Promise<void> {
  if (layout) await expect(page.getByRole('banner').getByRole('img')).toBeVisible()
  const answered = page.evaluate(async () => {
    const answer = await fetch('/api/client/info', { signal: AbortSignal.timeout(3000) })
    return answer.status
  })
  expect(await answered, 'status of a call without a token, while the part is broken').toBe(401)
}

function changed(
  composition: Composition,
  subject: Subject,
  change: (remote: ComposedRemote) => ComposedRemote,
): Composition {
  const remotes = Object.entries(composition.remotes).map(([name, { current }]) => {
    const alone: ComposedRemote = { status: 'on', current }
    return [name, name === subject.remote ? change(alone) : alone] as const
  })
  return { ...composition, remotes: Object.fromEntries(remotes) }
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

function relocated(origin: string, release: Release): Release {
  const file = <T extends { url: string }>({ url, ...rest }: T) => ({ ...rest, url: origin + url })
  return {
    ...release,
    entry: origin + release.entry,
    exposes: Object.fromEntries(
      Object.entries(release.exposes).map(([expose, { js, css }]) => [
        expose,
        { js: js.map(file), css: css.map(file) },
      ]),
    ),
  }
}

function filesPattern(release: Release, expose: string, kind: FileKind): RegExp {
  const { js = [], css = [] } = release.exposes[expose] ?? {}
  const urls = kind === 'entry' ? [release.entry] : (kind === 'script' ? js : css).map(({ url }) => url)
  if (urls.length === 0) throw new Error(`${expose} has no ${kind}`)
  return new RegExp(`^(${urls.map(escaped).join('|')})(\\?|$)`)
}
