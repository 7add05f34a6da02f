import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { previousBuild } from '../src/site.ts'
import { REPORTS_KEY, ROOT } from '../src/stack.ts'
import { expect, test } from '../src/test.ts'
import { deploy } from '../src/variant.ts'

const FILE = 'mf-auth/src/CheckPage.tsx'
const TYPED = 'nguyenvanan'

test('a slow handler that throws is reported with file and line, without the member', async ({
  page,
  stack,
  expectedErrors,
}) => {
  expectedErrors.push(/broken handler/)
  await deploy(stack.siteDir, 'publish', previousBuild('mf-auth'), '--no-smoke')
  await deploy(stack.siteDir, 'config', 'reportSample=1')

  // Pages report when they are idle.
  const telemetry = page.waitForResponse(/\/telemetry\.[^/]+\.js$/)
  await page.goto('/check?secret=1')
  expect((await telemetry).ok()).toBe(true)
  await page.getByRole('textbox').fill(TYPED)
  await page.getByRole('button', { name: 'KIỂM TRA NGAY' }).click()
  // The browser measures a click until the next paint.
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        new PerformanceObserver((list) => {
          if (list.getEntriesByName('click').some(({ duration }) => duration > 200)) resolve()
        }).observe({ type: 'event', buffered: true })
      }),
  )
  await page.goto('about:blank')

  const reports = `${stack.url}/api/reports`
  process.env.DEPLOY_REPORTS = reports
  process.env.DEPLOY_REPORTS_KEY = REPORTS_KEY
  const told = () => deploy(stack.siteDir, 'errors', 'mf-auth')
  const lines = (await readFile(join(process.env.E2E_PREVIOUS ?? '', FILE), 'utf8')).split('\n')
  const line = lines.findIndex((text) => text.includes('broken handler')) + 1
  await expect.poll(told).toContain('1 × mf-auth error: broken handler of …')
  const errors = await told()
  expect(errors).toContain(`\n    ${FILE}:${line}:`)
  expect(errors).toContain('/check in 1.0.0-')
  expect(errors).not.toMatch(new RegExp(`${TYPED}|secret`))

  const views = async () => {
    const headers = { authorization: `Bearer ${REPORTS_KEY}` }
    const metrics = await (await fetch(`${stack.url}/metrics`, { headers })).text()
    const ofRemote = metrics.matchAll(
      /^remote_views_total\{remote="mf-auth".*fact="(\w+)"\} (\d+)/gm,
    )
    return Object.fromEntries([...ofRemote].map(([, fact, count]) => [fact, Number(count)]))
  }
  await expect.poll(views).toMatchObject({ seen: 1, failed: 0, threw: 1, answeredLate: 1 })
  await deploy(stack.siteDir, 'config', 'reportSample=0')
  await deploy(stack.siteDir, 'rollback', 'mf-auth')
})

test('a built script has a source map, and does not name it', () => {
  for (const name of ['shell', 'mf-auth', 'mf-missions', 'mf-history']) {
    const dist = join(ROOT, name, 'dist')
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' })
    const scripts = files.filter((file) => file.endsWith('.js'))
    expect(files).toEqual(expect.arrayContaining(scripts.map((file) => `source-maps/${file}.map`)))
    for (const file of scripts)
      expect(readFileSync(join(dist, file), 'utf8')).not.toContain('sourceMappingURL')
  }
})
