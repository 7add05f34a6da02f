import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ENGINES, type Engine, findEngine } from '@anniversary/tools/test/engines'
import { startExamples } from '../src/examples.ts'
import { startFaultyProxy } from '../src/faulty-proxy.ts'
import setUp from '../src/global-setup.ts'
import { startStack } from '../src/stack.ts'
import { drawn, type Visit } from './actions.ts'
import { startPlaywright } from './playwright.ts'
import { PICTURES, tableOf, type Walk, writeRecord } from './record.ts'
import { startReportedProxy } from './reported-proxy.ts'
import { steps } from './steps.ts'
import { startWebKit } from './webkit.ts'

/**
 * `npm run prove:engines`: one walk in each browser that members use, on a phone's and a desktop's screen. Exit code 1
 * when a step fails or the console gets an error. Without options it writes docs/engines.md. Pictures:
 * test-results/engines.
 */
const { values } = parseArgs({
  options: {
    /** The short walk of `npm test`: a phone, and not in Chromium, which has all of e2e. */
    short: { type: 'boolean', default: false },
    engine: { type: 'string', multiple: true },
    size: { type: 'string', multiple: true },
    /** A regular expression. */
    step: { type: 'string', default: '' },
  },
})

const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } }
const isAsked = (name: string, asked: string[] | undefined) => asked?.includes(name) ?? true
const sizes = (['phone', 'desktop'] as const).filter((size) =>
  isAsked(size, values.short ? ['phone'] : values.size),
)
const engines = ENGINES.filter((engine) =>
  isAsked(engine, values.engine ?? (values.short ? ['firefox', 'webkit'] : undefined)),
)
const chosen = steps.filter(
  ({ name, short }) => (short || !values.short) && new RegExp(values.step).test(name),
)
const isWhole = process.argv.length === 2

async function walk(engine: Engine, program: string, size: keyof typeof SIZES): Promise<Walk> {
  // A database of its own: each walk claims the same ticket.
  const stack = await startStack()
  const { proxy: site, takeProblems } =
    engine === 'webkit'
      ? await startReportedProxy(stack.url)
      : { proxy: await startFaultyProxy(stack.url), takeProblems: () => [] }
  const driver = await (engine === 'webkit'
    ? startWebKit(program, SIZES[size], takeProblems)
    : startPlaywright(engine, program, SIZES[size]))
  const keep = async (name: string) =>
    writeFile(join(PICTURES, `${name}-${size}-${engine}.png`), await driver.screenshot())
  const visit: Visit = {
    driver,
    site,
    examples,
    async picture(name) {
      await drawn(driver)
      await keep(name)
    },
  }
  const title = `${engine} ${driver.version} ${size}`
  const outcomes: Walk['outcomes'][number][] = []
  try {
    for (const { name, errors, run } of chosen) {
      const began = Date.now()
      const failure = await run(visit).then(
        () => '',
        (error: Error) => error.message,
      )
      const seconds = (Date.now() - began) / 1000
      const problems = driver.takeProblems().filter((text) => !errors?.test(text))
      outcomes.push({ failure, problems, seconds })
      const result = [failure, ...problems].filter(Boolean).join('; ') || 'ok'
      console.log(`${title}: ${seconds.toFixed(1).padStart(4)} s: ${name}: ${result}`)
      if (failure) await keep(`failed-${name.replaceAll(/\W+/g, '-')}`).catch(() => undefined)
    }
  } finally {
    await driver.stop()
    await site.close()
    await stack.stop()
  }
  return { engine, version: driver.version, size, outcomes }
}

// So that an interrupted walk leaves no browser behind: each is killed on exit.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

const found = engines.map((engine) => ({ engine, program: findEngine(engine, console.log) }))
await mkdir(PICTURES, { recursive: true })
const cleanUp = await setUp()
const examples = await startExamples()
const walks: Walk[] = []
try {
  for (const { engine, program } of found)
    if (program) for (const size of sizes) walks.push(await walk(engine, program, size))
} finally {
  examples.stop()
  await cleanUp()
}

const names = chosen.map(({ name }) => name)
console.log(`\n${tableOf(names, walks)}`)
if (isWhole && found.every(({ program }) => program)) await writeRecord(names, walks)
const isGreen = walks.every(({ outcomes }) =>
  outcomes.every(({ failure, problems }) => !failure && problems.length === 0),
)
process.exit(isGreen ? 0 : 1)
