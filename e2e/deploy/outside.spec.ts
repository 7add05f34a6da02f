import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProcess } from '@anniversary/tools/test/start-process'
import { ROOT } from '../src/stack.ts'
import { expect, test } from '../src/test.ts'

/** The commands of the guide's chapter, one a line. */
async function guideCommands(chapter: string): Promise<string[]> {
  const guide = await readFile(join(ROOT, 'docs/guides/new-remote.md'), 'utf8')
  const [, block = ''] = /```sh\n(.*?)```/s.exec(guide.split(`## ${chapter}`)[1] ?? '') ?? []
  return block.trim().split('\n')
}

test('the guide, followed to the letter, makes a repository of its own that publishes @nightly', async ({
  page,
  stack,
}) => {
  test.setTimeout(420_000)
  const folder = await mkdtemp(join(tmpdir(), 'outside-'))
  const title = page.getByRole('heading', { name: 'Trang mới' })
  const env = { ...process.env, DEPLOY_SITE: stack.siteDir }
  let cwd = ROOT
  try {
    for (const line of await guideCommands('In a repository of its own')) {
      const command = line
        .replaceAll('../mf-winners', folder)
        .replaceAll('https://staging.example', `${stack.url} --port 0`)
      if (command.startsWith('cd ')) cwd = command.slice(3)
      else if (!command.startsWith('npm run dev'))
        execFileSync('sh', ['-c', command], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
      else {
        const ready = /from here: (http:\/\/\S+)/
        const dev = await startProcess(['sh', '-c', `exec ${command}`], { cwd, env, ready })
        await page.goto(`${dev.ready[0]}/winners`)
        await expect(title).toBeVisible()
        // An open page would report that its dev server is gone.
        await page.goto('about:blank')
        await dev.stop()
      }
    }
    await page.goto(`${stack.url}/winners`)
    await expect(title).toBeVisible()
    execFileSync('npx', ['deploy', 'rollback'], { cwd, env, stdio: 'pipe' })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
