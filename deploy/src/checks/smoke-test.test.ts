import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  contextOf,
  missionsBuild,
  namespaceRefusal,
  newSite,
  publishTo,
  recordOf,
  remoteBuild,
  serve,
  shellBuild,
  temporaryFolder,
} from '../../test/fixture-builds.ts'
import { findBrowser } from '../browser/find-browser.ts'
import { type Handler, listenForRequests } from '../serve/server.ts'
import { startCanary } from '../verbs/canary.ts'
import { changeSettings, switchRemote } from '../verbs/configure.ts'
import { openBrowser, proveIsolation } from './isolated-browser.ts'
import { networkWaysOut } from './ways-out.ts'

/** Loads the route's remote and sets the same marks as the real shell. */
const SHELL = `
trustedTypes.createPolicy('default', { createScriptURL: (url) => url })
const { remotes } = JSON.parse(document.getElementById('composition').textContent)
const routes = { '/login': 'mf-auth', '/home': 'mf-missions', '/histories': 'mf-history' }
const name = routes[location.pathname]
if (location.pathname === '/home' && !document.cookie.includes('token')) location.replace('/login')
const load = (release, next) => {
  const script = document.createElement('script')
  script.src = release.entry
  script.integrity = release.integrity
  script.crossOrigin = 'anonymous'
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
const missions = (entry = '') => missionsBuild({ entry })
const history = (entry = '') =>
  remoteBuild({
    name: 'mf-history',
    exposes: ['./HistoryPage'],
    routes: { '/histories': { title: 'Lịch sử', expose: './HistoryPage' } },
    entry,
  })

/**
 * Where the kernel refuses namespaces, the refusal of callers is proved
 * instead.
 */
const refusal = namespaceRefusal()
const NO_NAMESPACES = /^the browser of the smoke test has a network/
const isolatedTest = refusal ? test.skip : test
/**
 * Debian's two packages behave differently. The whole browser starts slowly.
 */
const browsers = [
  ...new Set([findBrowser(), findBrowser({ whole: Boolean(process.env.NIGHTLY) })]),
].filter((path) => path !== null)
async function site(main = SHELL) {
  const shell = await shellBuild({ main })
  return newSite(shell, remoteBuild({ text: 'before' }), missions(), history())
}
/** A busy machine is slow. */
const checked = { smoke: true, pageTimeout: 600_000, budget: 600_000 }
/** The page is left before it counts as shown, which ends its visit soon after. */
const NEVER_SHOWN = 'performance.mark = () => 0'

describe('what would break a page is refused, and nothing changes', () => {
  test('remotes that throw, log errors or break the policy are rejected', async () => {
    const target = await site()
    const before = await target.list('')
    const bad = [
      await remoteBuild({
        entry: 'window.render = () => { throw new TypeError("không vẽ được") }',
      }),
      await missions('console.error("lỗi lạ")'),
      await history('eval("1")'),
    ]
    const rejected: unknown = await publishTo(target, bad, checked).catch((error: unknown) => error)
    expect(rejected).toMatchObject({
      problems: [
        {
          rule: 'smoke',
          about: 'mf-auth',
          found: expect.stringMatching(/\/login reports: .*không vẽ được/),
        },
        {
          about: 'mf-history',
          found: expect.stringMatching(/\/histories reports: .*(eval|Trusted)/),
        },
        { about: 'mf-missions', found: expect.stringMatching(/\/home reports: lỗi lạ/) },
      ],
    })
    expect(await target.list('')).toEqual(before)
    const canary = await missionsBuild({
      routes: {},
      entry: 'window.render = () => { throw new Error("boom") }',
    })
    await expect(startCanary(target, canary, 100, checked)).rejects.toThrow(
      /\/home reports: .*boom/,
    )
  })

  test('endless loops, reloads and late pages are rejected', async () => {
    const loop = remoteBuild({ entry: 'for (;;);' })
    await expect(publishTo(await site(), loop, { ...checked, pageTimeout: 3000 })).rejects.toThrow(
      /\/login does not show mf-auth within 3\.0 s/,
    )
    const reload = missions(`window.render = () => { ${NEVER_SHOWN}; location.reload() }`)
    await expect(publishTo(await site(), reload, checked)).rejects.toThrow(
      /\/home goes by itself to http/,
    )
    const late = publishTo(await site(), missions('/* two */'), {
      ...checked,
      budget: -1,
    })
    await expect(late).rejects.toThrow(/\/home was not reached in time/)
  })

  test('a shell under which a live remote or canary breaks is rejected', async () => {
    const target = await site()
    await startCanary(target, await missions('window.render = () => next()'), 5)
    const shell = await shellBuild({
      main: `${SHELL}\nif (name === 'mf-history') throw new Error('gone')`,
    })
    const rejected: unknown = await publishTo(target, shell, checked).catch(
      (error: unknown) => error,
    )
    expect(rejected).toMatchObject({
      problems: [
        { about: 'mf-history', found: expect.stringMatching(/\/histories reports: .*gone/) },
        {
          about: 'mf-missions',
          found: expect.stringMatching(/\/home reports: .*next is not defined/),
        },
      ],
      smoke: [
        { package: 'mf-auth', route: '/login' },
        { package: 'mf-history', fault: expect.stringContaining('gone') },
        { package: 'mf-missions' },
        { package: 'shell', route: '/' },
        { package: 'mf-missions', fault: expect.stringContaining('next') },
      ],
    })
  })

  test('a shell that breaks a live release is rejected where it would fall back', async () => {
    const target = await site()
    await publishTo(target, history('if (window.young) throw new Error("gone")'))
    const fallback = SHELL.replace('load(current', 'load(previous ?? current')
    const shell = shellBuild({ main: `window.young = true\n${fallback}` })
    await expect(publishTo(target, shell, checked)).rejects.toThrow(/\/histories reports: .*gone/)
  })

  test('a library creates the Trusted Types policies that its remote declares', async () => {
    const target = await site()
    const entry = `trustedTypes.createPolicy('vue', {}).createHTML`
    const undeclared = publishTo(target, missions(entry), checked)
    await expect(undeclared).rejects.toThrow(/\/home reports: .*vue.*declare its name in package/s)
    const declared = await missionsBuild({ entry, trustedTypes: ['vue'] })
    const { smoke } = await publishTo(target, declared, checked)
    expect(smoke).toMatchObject([{ package: 'mf-missions' }])
    expect(smoke[0]).not.toHaveProperty('fault')
  })

  test('a shell that crashes', async () => {
    const shell = await shellBuild({ main: 'document.getElementById("gone").remove()' })
    await expect(publishTo(await site(), shell, checked)).rejects.toThrow(/shell: smoke: .*remove/)
  })
})

test('canaries and remotes that are off are tested too', async () => {
  const target = await site()
  await switchRemote(target, 'mf-auth', 'off')
  const { smoke } = await publishTo(target, remoteBuild({ text: 'fixed' }), checked)
  expect(smoke).toMatchObject([{ package: 'mf-auth', route: '/login' }])
  const bad = await missions('console.error("lỗi lạ")')
  await expect(startCanary(target, bad, 5, checked)).rejects.toThrow(/\/home reports: lỗi lạ/)
})

test('a page may frame and call the other origins of the configuration', async () => {
  const target = await site()
  await changeSettings(target, {
    megaliveUrl: 'https://brand.example/',
    apiBase: 'https://api.example',
  })
  const entry = `window.render = () => {
    const mark = performance.mark.bind(performance)
    ${NEVER_SHOWN}
    const headers = { 'content-type': 'application/json' }
    const frame = document.createElement('iframe')
    frame.src = 'https://brand.example/'
    frame.onload = async () => {
      const options = { method: 'POST', headers, credentials: 'include' }
      await (await fetch('https://api.example/x', options)).json()
      mark('remote:mf-missions:shown')
    }
    document.body.append(frame)
  }`
  const { smoke } = await publishTo(target, missions(entry), checked)
  expect(smoke).toMatchObject([{ package: 'mf-missions' }])
})

test('a break under an older shell warns', async () => {
  const target = await site(`/* older */${SHELL}`)
  for (const main of [`window.old = true\n${SHELL}`, SHELL])
    await publishTo(target, shellBuild({ main }))
  const { warnings, smoke } = await publishTo(target, missions('if (window.old) throw 1'), checked)
  expect(smoke.map(({ fault }) => fault !== undefined)).toEqual([false, true])
  expect(warnings.filter((warning) => !NO_NAMESPACES.test(warning))).toEqual([
    expect.stringMatching(/^under shell \S+, \/home of mf-missions reports: .*1/),
  ])
})

test('an older shell that is damaged warns', async () => {
  const target = await site(`/* older */${SHELL}`)
  const { shell } = await recordOf(target)
  await publishTo(target, shellBuild({ main: SHELL }))
  await target.remove(`shell/${shell.version}/build.json`)
  const { warnings, smoke } = await publishTo(target, missions('/* two */'), checked)
  expect(smoke).toHaveLength(1)
  expect(warnings.join()).toContain(`not tested under the earlier shell ${shell.version}: `)
})

describe('code of a caller', () => {
  const publishBy = async (entry: string, target = site(), name = 'ann') => {
    return publishTo(contextOf(await target, { name }), missions(entry), checked)
  }

  isolatedTest('the smoke browser reaches no other server', async () => {
    const reached: string[] = []
    const url = await serve((request, response) => {
      reached.push(String(request.url))
      response.end()
    })
    const stun = createSocket('udp4', () => reached.push('stun'))
    stun.bind(0, '127.0.0.1')
    await once(stun, 'listening')
    const attempts = [
      `new Image().src = '${url}/image'`,
      `fetch('${url}/fetch').catch(() => 0)`,
      `new WebSocket('${url.replace('http', 'ws')}/socket')`,
      `const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${stun.address().port}' }] })
        peer.createDataChannel('x')
        peer.createOffer().then((offer) => peer.setLocalDescription(offer))`,
    ].map((attempt) => `try { ${attempt} } catch {}`)
    // The last two leave the page.
    const pages = [attempts.join('\n'), `open('${url}/popup')`, `location = '${url}/page'`]
    for (const page of pages) await publishBy(page).catch((error: unknown) => error)
    stun.close()
    expect(reached).toEqual([])
  })

  isolatedTest('a page that opens a window is rejected', async () => {
    await expect(publishBy(`open('/login'); ${NEVER_SHOWN}`)).rejects.toThrow(
      /\/home goes by itself to a window of its own/,
    )
  })

  isolatedTest.each([
    ['eight calls at most', [...'abcdefghi'], 8],
    ['two calls of one caller', ['ann', 'ann', 'ann', 'b'], 3],
  ])('browsers of callers start one at a time, for %s', async (_, callers, most) => {
    const folder = await temporaryFolder()
    const [browser, log] = [join(folder, 'chromium'), join(folder, 'log')]
    // Calls arrive late on a busy machine.
    const refused = join(folder, 'refused')
    const wait = `while [ ! -e ${refused} ]; do sleep 0.1; done`
    const script = `#!/bin/sh\necho begins >> ${log}\n${wait}\necho ends >> ${log}\nexit 1\n`
    await writeFile(browser, script)
    await writeFile(log, '')
    // As root, the browser of a caller runs as another user.
    await chmod(folder, 0o755)
    await chmod(browser, 0o755)
    await chmod(log, 0o666)
    process.env.CHROMIUM_PATH = browser
    const target = site()
    const full: string[] = []
    const calls = callers.map(async (name) => {
      const reason = String(await publishBy('/* two */', target, name).catch(String))
      if (!/too many calls wait/.test(reason)) return
      full.push(reason)
      await writeFile(refused, '')
    })
    await Promise.all(calls)
    expect(full).toHaveLength(1)
    expect(await readFile(log, 'utf8')).toBe('begins\nends\n'.repeat(most))
  })

  isolatedTest.each(browsers)(
    '%s has no way out, and one with a network is found out',
    async (path) => {
      const isolated = await openBrowser(path, true)
      expect(await networkWaysOut(isolated)).toEqual([])
      await isolated.close()

      const { chromium } = await import('playwright-core')
      const open = await chromium.launch({
        executablePath: path,
        chromiumSandbox: false,
        // Otherwise WebRTC tells the whole network by multicast.
        args: ['--disable-features=WebRtcHideLocalIpsWithMdns'],
      })
      const sites = await listenForRequests('127.0.0.1', 0)
      const serveThere = (handler: Handler) => {
        sites.open(handler)
        return `http://127.0.0.1:${sites.port}`
      }
      const close = async () => {
        await open.close()
        await sites.close()
      }
      const openPage = () => open.newPage()
      const proving = proveIsolation({ serve: serveThere, openPage, close }, 20_000)
      await expect(proving).rejects.toThrow(/reaches this machine by TCP, UDP/)
    },
  )

  if (refusal)
    test(`callers are refused here, where the kernel makes no namespaces (${refusal})`, async () => {
      await expect(publishBy('/* two */')).rejects.toThrow(
        `its browser cannot run without a network here (${refusal})`,
      )
    })

  test('without namespaces callers are refused, and own builds are warned of', async () => {
    const folder = await temporaryFolder()
    const program = join(folder, 'unshare')
    await writeFile(program, '#!/bin/sh\necho forbidden >&2\nexit 1')
    await chmod(program, 0o755)
    await chmod(folder, 0o755)
    process.env.PATH = `${folder}:${process.env.PATH}`
    // Chromium's own sandbox, which root does not get, needs namespaces too.
    const getuid = import.meta.jest.spyOn(process, 'getuid').mockReturnValue(1000)
    try {
      await expect(publishBy('/* two */')).rejects.toThrow(/without a network here \(forbidden\)/)
      const { warnings } = await publishTo(await site(), missions('/* two */'), checked)
      expect(warnings).toEqual(['the browser of the smoke test has a network (forbidden)'])
    } finally {
      getuid.mockRestore()
    }
  })
})

describe('without a browser', () => {
  const publishAfter = async () => publishTo(await site(), remoteBuild({ text: 'after' }), checked)

  test('the smoke test is skipped with a warning; a pipeline fails', async () => {
    process.env.CHROMIUM_PATH = '/nowhere/chromium'
    delete process.env.CI
    const { warnings } = await publishAfter()
    expect(warnings).toEqual(['smoke test skipped: no Chromium found (CHROMIUM_PATH names one)'])
    process.env.CI = 'true'
    await expect(publishAfter()).rejects.toThrow(/this pipeline: smoke: no Chromium found/)
  })

  test('a publish fails when the browser does not start', async () => {
    process.env.CHROMIUM_PATH = process.execPath
    await expect(publishAfter()).rejects.toThrow(/launch/)
  })
})
