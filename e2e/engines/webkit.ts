import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { serve } from '../src/server.ts'
import { callOf, type Driver } from './driver.ts'

/**
 * WebKitGTK by its own WebDriver (https://www.w3.org/TR/webdriver2/), which speaks the classic protocol only. A client of
 * our own: a dozen calls of fetch(), where selenium-webdriver brings its types apart, four packages and a downloader.
 */

const ESCAPE = '\uE00C'
/** WebKit's own windows are never narrower than 447 pixels; popups are. */
const POPUP = 'popup,width=390,height=844,toolbar=no,menubar=no,location=no,status=no'

export async function startWebKit(binary: string, problemsOf: () => string[]): Promise<Driver> {
  const display = await startDisplay()
  const { port, close } = await serve(() => undefined)
  await close()
  const server = spawn('WebKitWebDriver', ['-p', String(port)], {
    stdio: 'ignore',
    env: {
      ...process.env,
      DISPLAY: display.name,
      TZ: 'Asia/Ho_Chi_Minh',
      LIBGL_ALWAYS_SOFTWARE: '1',
      // Its sandbox does not start as root.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    },
  })

  process.on('exit', () => {
    server.kill()
    display.process.kill()
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

  await started(() => call('GET', '/status'))
  const args = ['--automation', '--javascript-can-open-windows-automatically=true']
  const { sessionId, capabilities } = await call<{
    sessionId: string
    capabilities: { browserVersion: string }
  }>('POST', '/session', { capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': { binary, args } } } })
  const session = `/session/${sessionId}`
  const post = <Result>(command: string, body?: object) => call<Result>('POST', `${session}/${command}`, body)
  const execute = <Result>(script: string) => post<Result>('execute/sync', { script, args: [] })
  const handles = () => call<string[]>('GET', `${session}/window/handles`)

  const [first = ''] = await handles()
  const tabs: string[] = []
  let size = { width: 390, height: 844 }
  const switchTo = (handle = '') => post('window', { handle })

  async function open(): Promise<void> {
    const before = await handles()
    await switchTo(first)
    await execute(`window.open('about:blank', 'tab${before.length}', '${POPUP}')`)
    const opened = await started(async () => {
      const added = (await handles()).find((handle) => !before.includes(handle))
      if (!added) throw new Error('the popup has not opened')
      return added
    })
    tabs.push(opened)
    await switchTo(opened)
    await resize(size.width, size.height)
  }

  /** A window's size includes its frame, whose size is only known by looking. */
  async function resize(width: number, height: number): Promise<void> {
    size = { width, height }
    await started(async () => {
      const [innerWidth = 0, innerHeight = 0] = await execute<number[]>('return [innerWidth, innerHeight]')
      if (innerWidth === width && innerHeight === height) return
      const outer = await call<{ width: number; height: number }>('GET', `${session}/window/rect`)
      const larger = { width: outer.width + width - innerWidth, height: outer.height + height - innerHeight }
      await post('window/rect', { x: 0, y: 0, ...larger })
      throw new Error(`the window is ${innerWidth} x ${innerHeight}`)
    })
  }

  const type = (text: string) => {
    const actions = [...text].flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ])
    return post<void>('actions', { actions: [{ type: 'key', id: 'keyboard', actions }] })
  }

  await open()
  return {
    engine: 'webkit',
    version: capabilities.browserVersion,
    goto: (url) => post('url', { url }),
    evaluate: (run, ...args) => execute(`return ${callOf(run, args)}`),
    async evaluateInFrame(run) {
      const frame = await execute<object>(
        `return document.querySelector('iframe') ?? document.querySelector('mega-live').shadowRoot.querySelector('iframe')`,
      )
      await post('frame', { id: frame })
      try {
        return await execute(`return ${callOf(run, [])}`)
      } finally {
        await post('frame', { id: null })
      }
    },
    click: (x, y) =>
      post('actions', {
        actions: [
          {
            type: 'pointer',
            id: 'mouse',
            parameters: { pointerType: 'mouse' },
            actions: [
              { type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration: 0 },
              { type: 'pointerDown', button: 0 },
              { type: 'pointerUp', button: 0 },
            ],
          },
        ],
      }),
    type,
    pressEscape: () => type(ESCAPE),
    resize,
    screenshot: async () => Buffer.from(await call<string>('GET', `${session}/screenshot`), 'base64'),
    async openTab(url) {
      await open()
      await post('url', { url })
    },
    async closeTab() {
      await call('DELETE', `${session}/window`)
      tabs.pop()
      await switchTo(tabs.at(-1))
    },
    takeProblems: problemsOf,
    async stop() {
      await call('DELETE', session).catch(() => undefined)
      await Promise.all([ended(server), ended(display.process)])
    },
  }
}

/** A screen in memory; Xvfb takes a free number. */
async function startDisplay(): Promise<{ name: string; process: ChildProcess }> {
  const child = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const [number] = await once(child.stdio[3] as NodeJS.ReadableStream, 'data') // a pipe, as asked for
  return { name: `:${String(number).trim()}`, process: child }
}

async function ended(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.kill()
  await exit
}

/** Repeats what fails while something starts. */
async function started<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (tries === 50) throw error
      await sleep(200)
    }
  }
}
