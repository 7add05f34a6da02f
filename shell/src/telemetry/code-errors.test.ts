import type { CodeFailure } from '../loader/code-failures.ts'
import type { Owner, SendReport } from '../loader/report.ts'
import { startSession } from '../session/session-store.ts'
import { reportCodeErrors } from './code-errors.ts'

const SITE = 'https://site.example'
const owners: Record<string, Owner> = {
  '/mf-x/1/Page.js': { name: 'mf-x', version: '1' },
  '/mf-x/1/entry.js': { name: 'mf-x', version: '1' },
  '/shell/2/vendor.js': { name: 'shell', version: '2' },
}
const shown: Owner = { name: 'mf-shown', version: '7' }

function setUp() {
  const sent: Parameters<SendReport>[] = []
  const blamed: Owner[] = []
  const report = reportCodeErrors(
    { ownerOf: (url) => (url.startsWith(SITE) ? owners[url.slice(SITE.length)] : undefined) },
    (...report) => void sent.push(report),
    { ownerAt: () => shown, threw: (owner) => void blamed.push(owner) },
  )
  return { report, sent, blamed }
}

function thrown(message: string, ...lines: string[]): Error {
  const error = new TypeError(message)
  error.stack = [`TypeError: ${message}`, ...lines].join('\n')
  return error
}
const CHROMIUM = [
  `    at onClick (${SITE}/mf-x/1/Page.js?r=1:1:234)`,
  `    at async Promise.all (index 0)`,
  `    at ${SITE}/shell/2/vendor.js:2:5`,
  '    at chrome-extension://abc/inject.js:1:1',
]
const FIREFOX = [`onClick@${SITE}/mf-x/1/Page.js?r=1:1:234`, `@${SITE}/shell/2/vendor.js:2:5`]

test.each([
  ['Chromium', CHROMIUM],
  ['Firefox and Safari', FIREFOX],
])('a stack of %s names its package and files', (_browser, lines) => {
  const { report, sent, blamed } = setUp()
  const error = thrown('x is not a function', ...lines)
  report({ phase: 'error', error })
  const owner = { name: 'mf-x', version: '1' }
  const told = {
    'exception.message': 'x is not a function',
    'exception.stacktrace': 'onClick /mf-x/1/Page.js:1:234\n? /shell/2/vendor.js:2:5',
  }
  expect(sent).toEqual([[{ phase: 'error', error, owner }, told]])
  expect(blamed).toEqual([owner])
})

test.each<[string, CodeFailure, string]>([
  [
    'a page that crashed is blamed whatever its stack says',
    {
      phase: 'render',
      error: thrown('a', `f@${SITE}/shell/2/vendor.js:1:1`),
      owner: { name: 'mf-y', version: '3' },
    },
    'mf-y 3',
  ],
  [
    'a chunk is its build’s',
    { phase: 'chunk', error: 'b', source: `${SITE}/mf-x/1/entry.js` },
    'mf-x 1',
  ],
  [
    'a policy is broken by nobody of ours',
    { phase: 'csp', error: 'd', source: 'https://site.example/login' },
    'page ',
  ],
])('%s', (_name, failure, owner) => {
  const { report, sent } = setUp()
  report(failure)
  expect(sent.map(([{ owner }]) => `${owner.name} ${owner.version}`)).toEqual([owner])
})

const BRIDGE = "Can't find variable: zaloJSV2"
const STRANGE: readonly [code: string, error: unknown, source?: string][] = [
  ['a script of another host', thrown('e', '    at f (https://cdn.example/tracker.js:1:1)')],
  ['a hidden script of another host', 'Script error.'],
  ['a named script of another host', 'Script error.', 'https://cdn.example/tracker.js'],
  ['an extension of Firefox', thrown('e', 'f@moz-extension://abc-1/content.js:1:1')],
  [
    'an extension that our code called',
    thrown('e', 'f@moz-extension://a/fetch.js:1:1', ...FIREFOX),
  ],
  ['a script that an app injects', thrown(BRIDGE, 'global code', '[native code]')],
  ['a script from the files of an app', thrown(BRIDGE, 'f@file:///android_asset/bridge.js:1:1')],
  ['a script of an app with an odd file', BRIDGE, 'undefined'],
  ['code from a blob', thrown('e', `    at blob:${SITE}/0-1:1:1`)],
  ['an exception without a stack', new DOMException('play() failed', 'NotAllowedError')],
]
test.each(STRANGE.map(([code, error, source]) => ({ code, error, source })))(
  '$code is no fault of a remote',
  ({ error, source }) => {
    for (const phase of ['error', 'rejection'] as const) {
      const { report, sent, blamed } = setUp()
      report({ phase, error, ...(source !== undefined && { source }) })
      expect(blamed).toEqual([])
      expect(sent.map(([{ owner }]) => owner.name)).toEqual(sent.map(() => 'page'))
    }
  },
)

test('an error is reported once, and at most five per page', () => {
  const { report, sent, blamed } = setUp()
  const error = thrown('Loading chunk 7 failed', ...CHROMIUM)
  report({ phase: 'chunk', error, source: `${SITE}/mf-x/1/entry.js` })
  report({ phase: 'rejection', error })
  expect(sent).toHaveLength(1)
  for (let n = 0; n < 10; n++)
    report({ phase: 'error', error: thrown(`another ${n}`, ...CHROMIUM) })
  expect(sent).toHaveLength(5)
  expect(blamed).toHaveLength(12)
})

test('a reported message holds nothing of the member', () => {
  document.body.innerHTML =
    '<input value="0912345678"><textarea>12 Lý Thường Kiệt</textarea><input value="1">'
  startSession({ token: 'tok-123', username: 'nguyen.an' })
  function tell(error: string) {
    const { report, sent } = setUp()
    report({ phase: 'rejection', error })
    return sent[0]?.[1]?.['exception.message']
  }
  expect(tell('bad address 12 Lý Thường Kiệt of nguyen.an (tok-123)')).toBe(
    'bad address … of … (…)',
  )
  expect(tell('Unexpected token <, "<p>Xin chào An" is not valid JSON')).toBe(
    'Unexpected token <, "…" is not valid JSON',
  )
  expect(tell('GET https://site.example/api/x?phone=1 failed')).toBe(
    'GET https://site.example/api/x failed',
  )
  expect(tell('no ticket 20251234')).toBe('no ticket #')
  expect(tell("reading '1'")).toBe("reading '1'")
  expect(tell('x'.repeat(999))).toHaveLength(500)
})
