import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demoActivity } from '@anniversary/api/demo/demo-members'
import { GUESTS, type Guest } from './members.ts'
import { backOffice, operatorCommand, ROOT, spawnStack } from './stack.ts'
import { build, buildCommands, checkOut } from './variant.ts'

/**
 * Edits of the release before the published one: its /check is slow and throws,
 * its history has another title.
 */
const PREVIOUS = {
  'mf-auth/src/CheckPage.tsx': [
    [
      '    if (value) return ask(',
      `    for (const end = Date.now() + 300; Date.now() < end; );
    if (value) throw new Error('broken handler of ' + value)
    if (value) return ask(`,
    ],
  ],
  'mf-history/src/HistoryPage.tsx': [
    ['{texts.title}', "{texts.title}{state.name === 'loaded' && ' của bản trước'}"],
  ],
} as const

/**
 * Builds and publishes the demo, imports the guests, and builds the broken
 * remotes, once. Every stack starts from a copy.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  const template = await mkdtemp(join(tmpdir(), 'anniversary-template-'))
  process.env.E2E_TEMPLATE = template
  const dataDir = join(template, 'data')
  const remove = () => rm(template, { recursive: true, force: true })
  const starting = spawnStack(dataDir, join(template, 'site'), {})
  try {
    const [stack] = await Promise.all([starting, buildVariants(), buildCommands()])
    await importMembers(join(template, 'members.csv'), dataDir)
    await backOffice(stack.url, 'activity', { events: GUESTS.flatMap(activityOf) })
    const code = await stack.stop()
    if (code !== 0)
      throw new Error(`The template's server ended with code ${code}:\n${stack.output()}`)
    return remove
  } catch (error) {
    // A server that is left running would keep the runner from ending.
    await starting.then(
      (stack) => stack.stop(),
      () => undefined,
    )
    await remove()
    throw error
  }
}

async function buildVariants(): Promise<void> {
  const previous = await checkOut(PREVIOUS)
  process.env.E2E_PREVIOUS = previous
  const builds = ['mf-auth', 'mf-history'].map((remote) => build(previous, remote))
  await Promise.all([build(ROOT, 'e2e/isolation/broken'), ...builds])
}

async function importMembers(file: string, dataDir: string): Promise<void> {
  const lines = GUESTS.map(
    ({ account, digits, needsAddress }) => `${account},${digits},${needsAddress}`,
  )
  await writeFile(file, ['username,last_bank_number,address_required', ...lines].join('\n'))
  operatorCommand(dataDir, 'import', 'members', file)
}

const activityOf = ({ account }: Guest) =>
  demoActivity
    .filter(({ username }) => username === 'demo01')
    .map((event) => ({ ...event, username: account, ref: event.ref.replace('demo01', account) }))
