import { type Answer, type Fault, startFaultyProxy } from '../src/faulty-proxy.ts'
import { startProcess } from '../src/process.ts'
import { serve } from '../src/server.ts'
import { ROOT } from '../src/stack.ts'
import { callOf, type Driver, reportViolations, type Size, until } from './driver.ts'

/**
 * WebKitGTK by its own WebDriver (https://www.w3.org/TR/webdriver2/), which speaks the classic protocol only. A client of
 * our own: a dozen calls of fetch(), where selenium-webdriver brings its types apart, four packages and a downloader.
 */

const KEYS: Readonly<Record<string, string>> = { Escape: '\uE00C', Backspace: '\uE003', Control: '\uE009' }
const ENVIRONMENT = {
  TZ: 'Asia/Ho_Chi_Minh',
  LIBGL_ALWAYS_SOFTWARE: '1',
  // Its sandbox does not start as root.
  WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
}

export async function startWebKit(
  program: string,
  size: Size,
  takeProblems: () => string[],
): Promise<Driver> {
  const screen = await startProcess(
    ['Xvfb', '-displayfd', '1', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'],
    { cwd: ROOT, ready: /^(\d+)\n/m },
  )
  const { port, close } = await serve(() => undefined)
  await close()
  // It says nothing when it is ready.
  const server = await startProcess(['sh', '-c', `echo started; exec ${program} -p ${port}`], {
    cwd: ROOT,
    env: { ...ENVIRONMENT, DISPLAY: `:${screen.ready[0]}` },
    ready: /started/,
  })

  async function call<Result>(method: string, path: string, body: object = {}): Promise<Result> {
    const init = method === 'POST' ? { method, body: JSON.stringify(body) } : { method }
    const { value } = (await (await fetch(`http://127.0.0.1:${port}${path}`, init)).json()) as {
      value: never
    }
    const { error, message } = (value ?? {}) as { error?: string; message?: string } // of a failed command
    if (error) throw new Error(`${path}: ${error}: ${message}`)
    return value
  }

  await until('WebKitWebDriver is ready', () => call<object>('GET', '/status'))
  const options = { args: ['--automation', '--javascript-can-open-windows-automatically=true'] }
  const alwaysMatch = { pageLoadStrategy: 'none', 'webkitgtk:browserOptions': options }
  const { sessionId } = await call<{ sessionId: string }>('POST', '/session', {
    capabilities: { alwaysMatch },
  })
  const session = `/session/${sessionId}`
  const post = <Result>(command: string, body: object) => call<Result>('POST', `${session}/${command}`, body)
  const execute = <Result>(script: string) => post<Result>('execute/sync', { script, args: [] })
  const handles = () => call<string[]>('GET', `${session}/window/handles`)

  // WebKit's own windows are never narrower than 447 pixels; popups are.
  const [first] = await handles()
  const features = `popup,width=${size.width},height=${size.height},toolbar=no,menubar=no,location=no,status=no`
  await execute(`window.open('about:blank', 'popup', '${features}')`)
  const popup = await until(
    'the popup',
    async () => (await handles()).find((handle) => handle !== first) ?? null,
  )
  await post('window', { handle: popup })

  async function goto(url: string): Promise<void> {
    await execute('window.isLeft = true')
    await post('url', { url })
    await until(`another page: ${url}`, () => execute<boolean>('return !window.isLeft'))
  }

  /** Presses the keys of each chord together. */
  const strike = (chords: readonly (readonly string[])[]) => {
    const actions = chords.flatMap((chord) => [
      ...chord.map((value) => ({ type: 'keyDown', value })),
      ...chord.map((value) => ({ type: 'keyUp', value })).reverse(),
    ])
    return post<void>('actions', { actions: [{ type: 'key', id: 'keyboard', actions }] })
  }

  return {
    goto,
    evaluate: (run, ...args) => execute(`return ${callOf(run, args)}`),
    click(x, y) {
      const actions = [
        { type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration: 0 },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ]
      return post('actions', { actions: [{ type: 'pointer', id: 'mouse', actions }] })
    },
    type: (text) => strike([...text].map((character) => [character])),
    press: (keys) => strike([keys.split('+').map((key) => KEYS[key] ?? key)]),
    screenshot: async () => Buffer.from(await call<string>('GET', `${session}/screenshot`), 'base64'),
    async openTab(url) {
      await post('window', { handle: first })
      await goto(url)
    },
    async closeTab() {
      await goto('about:blank')
      await post('window', { handle: popup })
    },
    takeProblems,
    async stop() {
      await call('DELETE', session).catch(() => undefined)
      await server.stop()
      await screen.stop()
    },
  }
}

const SCRIPT = '/engine-report.js'
const REPORT = '/engine-report'

/** In the page: sends what the console gets as an error. */
function reportErrors(path: string): void {
  const send = (text: unknown) => void fetch(path, { method: 'POST', body: String(text), keepalive: true })
  const log = console.error
  console.error = (...parts: unknown[]) => {
    send(parts.join(' '))
    log(...parts)
  }
  addEventListener('error', ({ message }) => send(message))
  addEventListener('unhandledrejection', ({ reason }) => send(reason))
}

const script: Fault = (_request, response) =>
  response
    .writeHead(200, { 'content-type': 'text/javascript' })
    .end(`((__name) => { (${reportErrors})('${REPORT}'); (${reportViolations})() })((named) => named)`)

/** The app's own pages; the embedded one is framed without an origin, so it could not load the script. */
function withScript(answer: Answer, path: string): Answer {
  if (!answer.headers['content-type']?.startsWith('text/html') || path.includes('.html')) return answer
  const body = Buffer.from(
    String(answer.body).replace('<meta charset="utf-8">', `$&<script src="${SCRIPT}"></script>`),
  )
  return { ...answer, headers: { ...answer.headers, 'content-length': String(body.length) }, body }
}

/** For WebKit, whose driver gives no console: a script in every page reports to the proxy. */
export async function startReportedProxy(stackUrl: string) {
  const problems: string[] = []
  const proxy = await startFaultyProxy(stackUrl, { edit: withScript })
  proxy.break(`GET ${SCRIPT}`, script)
  proxy.break(`POST ${REPORT}`, (_request, response) => {
    problems.push(proxy.requests.findLast(({ path }) => path === REPORT)?.body ?? '')
    response.writeHead(204).end()
  })
  return { proxy, takeProblems: () => problems.splice(0) }
}
