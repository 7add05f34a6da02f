import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const page = readFileSync(join(import.meta.dirname, '../public/megalive-sample.html'), 'utf8')

/** As a policy names it. */
function hashOf(tag: 'script' | 'style'): string {
  const [, text = ''] = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(page) ?? []
  return `${tag}-src 'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

// On the site's own origin it is framed without one, and WebKit then matches
// 'self' to nothing.
test("the sample page's policy allows only its own style and script", () => {
  expect(page).not.toMatch(/<script\s|rel="stylesheet"|\sstyle="|\son\w+="/)
  const [, policy] = /http-equiv="content-security-policy" content="(.*?)"/.exec(page) ?? []
  expect(policy).toBe(`${hashOf('script')}; ${hashOf('style')}`)
})
