import { takenOver } from '../src/members.ts'
import { expect, test } from '../src/test.ts'

/** The largest script, without which nothing hydrates, and style files of the first view. */
const HELD = /\/(vendor\.[^/]*\.js|(main|\w+Page)\.[^/]*\.css)/
/** `--accent` on paper. */
const ACCENT = 'rgb(134, 21, 34)'

// Typing, digits, the one login and code that never comes are steps of engines/steps.ts, in every engine.
test('a word composed while the code loads is kept', async ({ page, faulty }) => {
  faulty.hold(HELD)
  await page.goto(`${faulty.url}/check`, { waitUntil: 'commit' })
  // Its remote's rule, with the host's token.
  await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('color', ACCENT)
  const field = page.getByLabel('Nội dung kiểm tra')
  await field.click()
  const session = await page.context().newCDPSession(page)
  const compose = (text: string) =>
    session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
  await compose('Nguye')
  faulty.release()
  await takenOver(page)
  await compose('Nguyê')
  await session.send('Input.insertText', { text: 'Nguyễn' })
  await expect(field).toHaveValue('Nguyễn')
})
