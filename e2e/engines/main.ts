import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startExamples } from '../src/examples.ts'
import { startFaultyProxy } from '../src/faulty-proxy.ts'
import setUp from '../src/global-setup.ts'
import { ROOT, startStack } from '../src/stack.ts'
import { ENGINES, type Engine } from './driver.ts'
import { findEngine } from './find-engine.ts'
import { startPlaywright } from './playwright.ts'
import { startReportedProxy } from './reported-proxy.ts'
import { steps } from './steps.ts'
import { startWebKit } from './webkit.ts'

/**
 * `npm run prove:engines`: one walk in each browser that members use, on a phone's and a desktop's screen. Exit code 1
 * when a step fails or the console gets an error. Pictures: test-results/engines.
 */
const { values } = parseArgs({
  options: {
    /** The short walk of `npm test`: a phone, and not in Chromium, which has all of e2e. */
    short: { type: 'boolean', default: false },
    engine: { type: 'string', multiple: true },
    size: { type: 'string' },
    /** A regular expression. */
    step: { type: 'string' },
  },
})

const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } }
const sizes = (['phone', 'desktop'] as const).filter(
  (size) => size === (values.short ? 'phone' : (values.size ?? size)),
)
const engines = ENGINES.filter(
  (engine) => values.engine?.includes(engine) ?? !(values.short && engine === 'chromium'),
)
const chosen = steps.filter(({ name, short }) =>
  values.short ? short : new RegExp(values.step ?? '').test(name),
)
const folder = join(ROOT, 'test-results/engines')

/** A row of the table: what each step came to, `ok` or what is wrong. */
interface Walk {
  readonly title: string
  readonly outcomes: readonly string[]
  readonly problems: number
  readonly seconds: number
}

async function walk(engine: Engine, browser: string, size: keyof typeof SIZES): Promise<Walk> {
  // A database of its own: each walk claims the same ticket.
  const stack = await startStack()
  const { proxy, takeProblems } =
    engine === 'webkit'
      ? await startReportedProxy(stack.url)
      : { proxy: await startFaultyProxy(stack.url), takeProblems: () => [] }
  const driver = await (engine === 'webkit'
    ? startWebKit(browser, takeProblems)
    : startPlaywright(engine, browser))
  const began = Date.now()
  const title = `${engine} ${driver.version} ${size}`
  const outcomes: string[] = []
  let problems = 0
  const picture = async (name: string) =>
    writeFile(join(folder, `${name}-${size}-${engine}.png`), await driver.screenshot())
  try {
    await driver.resize(SIZES[size].width, SIZES[size].height)
    for (const step of chosen) {
      const failure = await step.run({ driver, site: proxy, examples, picture }).then(
        () => '',
        (error: Error) => error.message,
      )
      const unexpected = driver.takeProblems().filter((text) => !step.errors?.test(text))
      problems += unexpected.length
      const outcome = [failure, ...unexpected].filter(Boolean).join('; ') || 'ok'
      outcomes.push(outcome)
      console.log(`${title}: ${step.name}: ${outcome}`)
      if (failure) await picture(`failed-${step.name.replaceAll(/\W+/g, '-')}`).catch(() => undefined)
    }
  } finally {
    await driver.stop()
    await proxy.close()
    await stack.stop()
  }
  return { title, outcomes, problems, seconds: Math.round((Date.now() - began) / 1000) }
}

// So that an interrupted walk leaves no browser behind: each kills its own on exit.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

const found = engines.map((engine) => ({ engine, browser: findEngine(engine, console.log) }))
await mkdir(folder, { recursive: true })
const cleanUp = await setUp()
const examples = await startExamples()
const walks: Walk[] = []
try {
  for (const { engine, browser } of found)
    if (browser) for (const size of sizes) walks.push(await walk(engine, browser, size))
} finally {
  examples.stop()
  await cleanUp()
}

const failed = walks.filter(({ outcomes }) => outcomes.some((outcome) => outcome !== 'ok'))
console.log(`\n${'steps ok'.padEnd(10)}${'problems'.padEnd(10)}${'seconds'.padEnd(9)}walk`)
for (const { title, outcomes, problems, seconds } of walks) {
  const ok = `${outcomes.filter((outcome) => outcome === 'ok').length}/${outcomes.length}`
  console.log(`${ok.padEnd(10)}${String(problems).padEnd(10)}${String(seconds).padEnd(9)}${title}`)
}
process.exit(failed.length === 0 ? 0 : 1)
