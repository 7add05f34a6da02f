import { FAULTS } from '../src/faults.ts'
import { takenOver } from '../src/members.ts'
import { subjectOf } from '../src/subjects.ts'
import { expect, test } from '../src/test.ts'

test('a file that arrived broken is replaced in the browser’s cache', async ({
  page,
  site,
  expectedErrors,
}) => {
  // The host's scripts without the core script.
  expectedErrors.push(/The core script has not run/)
  const subject = subjectOf('mf-auth')
  const browser = await page.context().newCDPSession(page)
  const parts = ['shell/[^/]+/(core|vendor).+js', 'shell/[^/]+/rules.+js']
  for (const part of [...parts, 'mf-auth/[^/]+/entry.+js', 'mf-auth/[^/]+/LoginPage.+css'])
    await test.step(part, async () => {
      const file = new RegExp(`^/${part}$`)
      const before = site.proxy.requests.length
      const requests = () =>
        site.proxy.requests.slice(before).filter(({ path }) => file.test(path.split('?')[0] ?? ''))
      await browser.send('Network.clearBrowserCache')
      // The first request gets a broken answer, which the browser may keep for a year.
      site.proxy.break(file, (...exchange) => {
        site.proxy.mend()
        return FAULTS['changed byte'](...exchange)
      })
      const visit = async () => {
        await site.open(page, subject.path)
        // For a script of the host the page loads again, without what is typed until then.
        await takenOver(page)
        await subject.works(page)
        await page.getByRole('button', { name: 'Thể lệ chương trình' }).click()
        await expect(page.getByRole('dialog').getByRole('heading').first()).toBeVisible()
        return requests().length
      }
      const asked = await visit()
      expect(asked).toBeGreaterThan(1)
      expect(await visit(), 'requests after a second visit').toBe(asked)
    })
})
