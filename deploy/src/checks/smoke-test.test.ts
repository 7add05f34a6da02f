import {
  remoteBuild,
  removeTemporaryFolders,
  shellBuild,
  temporaryFolder,
} from '../../test/fixture-builds.ts'
import { FileTarget } from '../target/file-target.ts'
import { type PublishOptions, publish } from '../verbs/publish.ts'
import { findBrowser } from './find-browser.ts'
import { smokeTest } from './smoke-test.ts'

afterAll(removeTemporaryFolders)

/** A shell of thirty lines: it loads the route's remote as the real one does, and marks what it shows. */
const SHELL = `
trustedTypes.createPolicy('default', { createScriptURL: (url) => url })
const { remotes } = JSON.parse(document.getElementById('composition').textContent)
const routes = { '/login': 'mf-auth', '/home': 'mf-missions' }
const name = routes[location.pathname]
if (location.pathname === '/home' && !document.cookie.includes('token')) location.replace('/login')
const load = (release, next) => {
  const script = document.createElement('script')
  script.src = release.entry
  script.integrity = release.integrity
  script.onload = () => show(release)
  script.onerror = next
  document.head.append(script)
}
const show = (release) => {
  if (window.render) window.render()
  performance.mark('remote:' + name + ':shown', { detail: release.version })
}
if (name) {
  const { current, previous } = remotes[name]
  load(current, () => previous && load(previous))
}
`

const needsBrowser = findBrowser() ? test : test.skip
async function site(main = SHELL) {
  const target = new FileTarget(await temporaryFolder())
  await publish(target, [
    await shellBuild({ main }),
    await remoteBuild({ text: 'before' }),
    await remoteBuild({ name: 'mf-missions', exposes: ['./HomePage'] }),
  ])
  return target
}
const smoke = { smoke: smokeTest }

needsBrowser('a remote that shows its page goes live, on a protected route too', async () => {
  const target = await site()
  const auth = await remoteBuild({ entry: 'window.render = () => document.body.append("Xin chào")' })
  const missions = await remoteBuild({ name: 'mf-missions', text: 'two', exposes: ['./HomePage'] })
  const { changed, warnings } = await publish(target, [auth, missions], smoke)
  expect({ changed, warnings }).toEqual({ changed: true, warnings: [] })
})

describe('what would break a page is refused, and nothing changes', () => {
  const faults: [string, string, RegExp][] = [
    ['throws while it loads', 'throw new Error("vỡ rồi")', /\/login reports: .*vỡ rồi/],
    [
      'throws while it renders',
      'window.render = () => { throw new TypeError("không vẽ được") }',
      /không vẽ được/,
    ],
    ['logs an error', 'console.error("lỗi lạ")', /\/login reports: lỗi lạ/],
    ['runs a script that the policy forbids', 'eval("1")', /\/login reports: .*(eval|Trusted)/],
  ]
  needsBrowser.each(faults)('a remote that %s', async (_name, entry, message) => {
    const target = await site()
    const before = await target.list('')
    await expect(publish(target, [await remoteBuild({ entry })], smoke)).rejects.toThrow(message)
    expect(await target.list('')).toEqual(before)
  })

  needsBrowser('a remote that never stands', async () => {
    const impatient: PublishOptions['smoke'] = (...args) => smokeTest(...args, 3000)
    const busy = 'window.render = () => { for (const until = Date.now() + 9000; Date.now() < until;); }'
    const published = publish(await site(), [await remoteBuild({ entry: busy })], { smoke: impatient })
    await expect(published).rejects.toThrow(/\/login does not show mf-auth within 3 s/)
  })

  needsBrowser('a shell that crashes', async () => {
    const target = await site()
    const main = 'document.getElementById("gone").remove()'
    await expect(publish(target, [await shellBuild({ main })], smoke)).rejects.toThrow(
      /shell: smoke: .*remove/,
    )
  })
})

needsBrowser('a page that shows the version before has fallen back, and is no success', async () => {
  const main = SHELL.replace('load(current,', 'load(previous ?? current,')
  const target = await site(main)
  const build = await remoteBuild({ text: 'after' })
  await expect(publish(target, [build], smoke)).rejects.toThrow(/shows 1\.0\.0-\w+ in place of 1\.0\.0-/)
  const { changed } = await publish(target, [build], { ...smoke, waive: ['smoke'] })
  expect(changed).toBe(true)
})

test('without a browser the test is skipped, and says so', async () => {
  const before = process.env.CHROMIUM_PATH
  process.env.CHROMIUM_PATH = '/nowhere/chromium'
  try {
    const { warnings } = await publish(await site(), [await remoteBuild({ text: 'after' })], smoke)
    expect(warnings).toEqual(['smoke test skipped: no Chromium found (CHROMIUM_PATH names one)'])
  } finally {
    if (before === undefined) delete process.env.CHROMIUM_PATH
    else process.env.CHROMIUM_PATH = before
  }
})
