import type { Browser, CDPSession } from '@playwright/test'
import type { Load, LoadOptions } from './measure.ts'

const STEP_MS = 100
/** A strip ends so long after the last of the loads has answered. */
const REST_MS = 200

interface Frame {
  /** Milliseconds since 1970. */
  readonly at: number
  /** A data URL. */
  readonly picture: string
}
interface Take {
  readonly name: string
  readonly load: Load
  readonly frames: Frame[]
}

/** Puts what could be seen of each page's load every 100 ms side by side, into one JPEG. */
export async function makeFilm(
  browser: Browser,
  title: string,
  urls: Readonly<Record<string, string>>,
  load: (url: string, options: Partial<LoadOptions>) => Promise<Load>,
  file: string,
): Promise<void> {
  const films: Take[] = []
  for (const [name, url] of Object.entries(urls)) {
    const frames: Frame[] = []
    const record = (session: CDPSession) => recordFrames(session, frames)
    films.push({ name, frames, load: await load(url, { record }) })
  }
  const until = Math.max(...films.map(({ load }) => load.answers)) + REST_MS
  const steps = Array.from({ length: Math.ceil(until / STEP_MS) + 1 }, (_, step) => step * STEP_MS)
  const page = await browser.newPage()
  await page.setContent(htmlOf(title, steps, films))
  await page.locator('body').screenshot({ path: file, type: 'jpeg', quality: 80 })
  await page.close()
}

const STYLE = `
  body { display: inline-grid; margin: 0; padding: 24px 28px 20px; gap: 20px; background: #17070a; color: #f6e7c8;
    font: 13px/1.4 'DejaVu Sans', system-ui, sans-serif }
  h1 { margin: 0; color: #c9a86a; font-size: 14px; font-weight: 400 }
  h2 { margin: 0 0 8px; font-size: 17px }
  h2 small { margin-left: 12px; color: #c9a86a; font-size: 13px; font-weight: 400 }
  ol { display: flex; gap: 6px; margin: 0; padding: 0; list-style: none }
  li { width: 92px; color: #a98d63; text-align: center; font-size: 12px }
  img { display: block; width: 88px; height: 190px; border: 2px solid #4a2a22; border-radius: 8px; background: #fff }
  li.moment { color: #ffd36e; font-weight: 700 }
  li.moment img { border-color: #ffd36e }
  li span { display: block; min-height: 34px; padding-top: 4px }
`

/** Each step's picture under its time; the steps by which the page was painted, accepted and answered are marked. */
function htmlOf(title: string, steps: readonly number[], films: readonly Take[]): string {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(ms % STEP_MS ? 2 : 1)} s`
  const strip = ({ name, load, frames }: Take) => {
    const moments = { painted: load.painted, accepts: load.accepts, answers: load.answers }
    const item = (step: number) => {
      const seen = frames.findLast(({ at }) => at <= load.began + step)?.picture ?? ''
      const reached = Object.entries(moments).filter(([, at]) => at <= step && at > step - STEP_MS)
      const caption = reached.map(([moment]) => moment).join(' ')
      return `<li class="${caption && 'moment'}">${seconds(step)}<img src="${seen}" alt=""><span>${caption}</span></li>`
    }
    const times = Object.entries(moments).map(
      ([moment, at]) => `${moment} ${seconds(Math.round(at / 10) * 10)}`,
    )
    return `<section><h2>${name}<small>${times.join(' · ')}</small></h2><ol>${steps.map(item).join('')}</ol></section>`
  }
  return `<!doctype html><style>${STYLE}</style><body><h1>${title}</h1>${films.map(strip).join('')}`
}

async function recordFrames(session: CDPSession, frames: Frame[]): Promise<void> {
  session.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    frames.push({ at: (metadata.timestamp ?? 0) * 1000, picture: `data:image/jpeg;base64,${data}` })
    void session.send('Page.screencastFrameAck', { sessionId })
  })
  await session.send('Page.startScreencast', { format: 'jpeg', quality: 80, maxWidth: 195, maxHeight: 422 })
}
