import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Engine } from '@anniversary/tools/test/engines'
import sharp from 'sharp'
import { ROOT } from '../src/stack.ts'

/** One browser on one screen. */
export interface Walk {
  readonly engine: Engine
  readonly version: string
  readonly size: string
  /** Of each step, in order. `failure` is empty where it succeeded. */
  readonly outcomes: readonly {
    readonly failure: string
    readonly problems: readonly string[]
    readonly seconds: number
  }[]
}

export const PICTURES = join(ROOT, 'test-results/engines')
const SIDE_BY_SIDE = 'docs/screens/engines.jpg'
const SCREENS = ['landing', 'home', 'megalive']

const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

/** Seconds of each step in each walk, as Markdown. */
export function tableOf(steps: readonly string[], walks: readonly Walk[]): string {
  const cell = ({ outcomes }: Walk, index: number) => {
    const { failure = '', problems = [], seconds = 0 } = outcomes[index] ?? {}
    return failure || problems.length > 0 ? '**failed**' : seconds.toFixed(1)
  }
  const total = (of: (walk: Walk) => number, digits = 0) => walks.map((walk) => of(walk).toFixed(digits))
  return [
    row(['seconds', ...walks.map(({ engine, size }) => `${engine} ${size}`)]),
    row(['---', ...walks.map(() => '---:')]),
    ...steps.map((step, index) => row([step, ...walks.map((walk) => cell(walk, index))])),
    row(['all steps', ...total(({ outcomes }) => sum(outcomes.map(({ seconds }) => seconds)), 1)]),
    row(['steps that failed', ...total(({ outcomes }) => outcomes.filter(({ failure }) => failure).length)]),
    row([
      'console errors and policy violations',
      ...total(({ outcomes }) => sum(outcomes.map(({ problems }) => problems.length))),
    ]),
  ].join('\n')
}

/** Writes docs/engines.md and its picture. */
export async function writeRecord(steps: readonly string[], walks: readonly Walk[]): Promise<void> {
  const versions = new Set(walks.map(({ engine, version }) => `${engine} ${version}`))
  const engines = [...new Set(walks.map(({ engine }) => engine))]
  const text = `# The walk in three engines

Written by \`npm run prove:engines\` with ${[...versions].join(', ')}.
Phone is 390 × 844, desktop 1280 × 800; each walk has a database of its own. Errors that a step causes on purpose do not
count. Firefox and WebKit are Debian's; what only a real phone shows is in a [checklist](guides/phones.md).

${tableOf(steps, walks)}

Composed letters (an input method's preview) can only be driven in Chromium (\`e2e/member/first-page.spec.ts\`); in all
three engines the walk types as Telex keyboards without a preview do, which take a letter back and put it with its mark.

![Three screens on a phone, each in ${engines.join(', ')}](screens/engines.jpg)
`
  await writeFile(join(ROOT, 'docs/engines.md'), text)
  await writePicture(engines)
}

const CELL = { width: 210, height: 454 }
const GAP = 12

/** Each screen in each engine, in one row. */
async function writePicture(engines: readonly Engine[]): Promise<void> {
  const files = SCREENS.flatMap((screen) => engines.map((engine) => `${screen}-phone-${engine}.png`))
  const pictures = await Promise.all(
    files.map(async (file, index) => ({
      input: await sharp(join(PICTURES, file)).resize(CELL.width, CELL.height).toBuffer(),
      left: GAP + index * (CELL.width + GAP),
      top: GAP,
    })),
  )
  const width = GAP + files.length * (CELL.width + GAP)
  await sharp({ create: { width, height: CELL.height + 2 * GAP, channels: 3, background: '#fff' } })
    .composite(pictures)
    .jpeg({ quality: 72, mozjpeg: true })
    .toFile(join(ROOT, SIDE_BY_SIDE))
}
