import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../src/stack.ts'
import { expect, test } from '../src/test.ts'
import { deploy } from '../src/variant.ts'

const run = promisify(execFile)

/** The fenced blocks of a part of the guide: language, name of the file, content. */
const blocksIn = (part: string) =>
  [...part.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)].map(([, language, file, text = '']) => ({
    language,
    file,
    text,
  }))

for (const bundler of ['webpack', 'Rsbuild', 'Vite']) {
  test(`the guide's repository of ${bundler} goes live`, { tag: '@nightly' }, async ({ page, stack }) => {
    test.setTimeout(300_000)
    const guide = await readFile(join(ROOT, 'docs/guides/bundlers.md'), 'utf8')
    const [common = '', ...chapters] = guide.split(/^## /m)
    const chapter = chapters.find((one) => one.startsWith(bundler)) ?? ''
    const folder = await mkdtemp(join(tmpdir(), 'bundler-'))
    try {
      for (const { file, text } of [...blocksIn(common), ...blocksIn(chapter)]) {
        if (!file) continue
        await mkdir(dirname(join(folder, file)), { recursive: true })
        await writeFile(join(folder, file), text)
      }
      const script = blocksIn(chapter).find(({ language }) => language === 'sh')?.text ?? 'false'
      // As the package of a registry would be run.
      const commands = script.replaceAll('npx deploy', `node ${join(ROOT, 'deploy/bin/deploy.js')}`)
      const env = { ...process.env, DEPLOY_SITE: stack.siteDir }
      await run('sh', ['-ec', commands], { cwd: folder, env })

      await page.goto(`${stack.url}/winners`)
      await page.getByRole('button', { name: 'Đã xem 0' }).click()
      await expect(page.getByRole('button', { name: 'Đã xem 1' })).toBeVisible()
      await page.getByRole('button', { name: 'Về trang chủ' }).click()
      await expect(page).toHaveURL(`${stack.url}/`)
    } finally {
      await deploy(stack.siteDir, 'disable', 'mf-winners')
      await deploy(stack.siteDir, 'remove', 'mf-winners')
      await rm(folder, { recursive: true, force: true })
    }
  })
}
