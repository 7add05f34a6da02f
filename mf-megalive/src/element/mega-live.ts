import { EMBED_TIMEOUT_MS } from '@anniversary/shared/contract/event'
import { texts } from '../texts.ts'
import { embeddable, navigable, readyOrigins, sandboxFor } from './addresses.ts'
import type { MegaLiveEvents } from './events.ts'
import { IDLE, next, type Phase, type Signal, type State } from './phase.ts'
import { isReadyMessage } from './ready-message.ts'
import { createView } from './view.ts'

const ATTRIBUTES = {
  src: 'src',
  timeout: 'timeout',
  backHref: 'back-href',
  label: 'label',
  requireReady: 'require-ready',
  readyOrigins: 'ready-origins',
} as const

// Server rendering imports this module too, and has no HTMLElement.
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement)

/**
 * `<mega-live src="…" back-href="/">`: a page of another site in a frame, with a loading overlay and a fallback.
 * Attributes, events, custom properties and parts: docs/guides/embed.md.
 */
export class MegaLiveElement extends Base {
  static observedAttributes: readonly string[] = Object.values(ATTRIBUTES)

  #state: State = IDLE
  #startedAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #url: URL | undefined
  #view = createView(this.attachShadow({ mode: 'open' }), {
    back: (event, href) => {
      if (!this.#emit('mega-live-back', { href })) event.preventDefault()
    },
    open: (href) => this.#emit('mega-live-open', { href }),
    retry: () => this.reload(),
  })

  /** What shows now. */
  get phase(): Phase {
    return this.#state.phase
  }

  /** The page has posted its ready message. */
  get proven(): boolean {
    return this.#state.proven
  }

  get src(): string {
    return this.getAttribute('src') ?? ''
  }
  set src(value: string | null | undefined) {
    this.#reflect('src', value)
  }

  /** Milliseconds until the fallback; 10 000 unless set to another positive number. */
  get timeout(): number {
    const value = Number(this.getAttribute('timeout'))
    return value > 0 ? value : EMBED_TIMEOUT_MS
  }
  set timeout(value: number | string | null | undefined) {
    this.#reflect('timeout', value)
  }

  /** Without it there is no back link. */
  get backHref(): string {
    return this.getAttribute('back-href') ?? ''
  }
  set backHref(value: string | null | undefined) {
    this.#reflect('back-href', value)
  }

  /** Accessible name of the frame. */
  get label(): string {
    return this.getAttribute('label') || texts.frameTitle
  }
  set label(value: string | null | undefined) {
    this.#reflect('label', value)
  }

  /** Only the page's ready message ends the overlay; its `load` event does not. */
  get requireReady(): boolean {
    return this.hasAttribute('require-ready')
  }
  set requireReady(value: boolean | null | undefined) {
    this.#reflect('require-ready', value ? '' : null)
  }

  /** Further origins from which 'ready' counts, separated by blanks. */
  get readyOrigins(): string {
    return this.getAttribute('ready-origins') ?? ''
  }
  set readyOrigins(value: string | null | undefined) {
    this.#reflect('ready-origins', value)
  }

  /** Loads the page anew, with overlay and timer. */
  reload(): void {
    this.#stop()
    if (!this.isConnected || !this.hasAttribute('src')) {
      this.#signal('stop')
      return
    }
    this.#url = embeddable(this.src, this.ownerDocument.baseURI, self.origin)
    if (!this.#url) {
      this.#signal('refuse')
      // Code that has just inserted the element can still add a listener.
      queueMicrotask(() => this.#emit('mega-live-refused', { reason: 'src' }))
      return
    }
    addEventListener('message', this.#onMessage)
    this.ownerDocument.addEventListener('securitypolicyviolation', this.#onViolation)
    this.#startedAt = performance.now()
    this.#arm()
    this.#view.load({ url: this.#url.href, sandbox: sandboxFor(this.#sameOrigin), title: this.label }, () =>
      this.#signal('load'),
    )
    this.#signal('start')
  }

  connectedCallback(): void {
    // A property set before the element was defined shadows its accessor: set it again.
    for (const name of Object.keys(ATTRIBUTES)) {
      if (!Object.keys(this).includes(name)) continue
      const value: unknown = Reflect.get(this, name)
      Reflect.deleteProperty(this, name)
      Reflect.set(this, name, value)
    }
    this.#showBack()
    this.reload()
  }

  disconnectedCallback(): void {
    this.#stop()
    this.#signal('stop')
  }

  /** With this callback `moveBefore()` keeps the loaded page. */
  connectedMoveCallback(): void {}

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before === after || !this.isConnected) return
    if (name === 'src' || name === 'ready-origins') this.reload()
    else if (name === 'back-href') this.#showBack()
    else if (name === 'label') this.#view.title(this.label)
    else if (name === 'timeout' && this.phase === 'loading') this.#arm()
  }

  get #sameOrigin(): boolean {
    return this.#url?.origin === self.origin
  }

  #showBack(): void {
    this.#view.back(this.backHref ? navigable(this.backHref, this.ownerDocument.baseURI) : undefined)
  }

  #reflect(name: string, value: string | number | null | undefined): void {
    if (value === null || value === undefined) this.removeAttribute(name)
    else this.setAttribute(name, `${value}`)
  }

  #elapsed(): number {
    return Math.round(performance.now() - this.#startedAt)
  }

  #arm(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#signal('timeout'), this.timeout - this.#elapsed())
  }

  #stop(): void {
    clearTimeout(this.#timer)
    removeEventListener('message', this.#onMessage)
    this.ownerDocument.removeEventListener('securitypolicyviolation', this.#onViolation)
    this.#url = undefined
    this.#view.unload()
  }

  #signal(signal: Signal): void {
    const { phase, proven } = this.#state
    const state = next(this.#state, signal, this.requireReady)
    if (state === this.#state) return
    this.#state = state
    this.#view.show(state)
    const ms = this.#elapsed()
    if (state.phase === 'shown' && phase !== 'shown') {
      clearTimeout(this.#timer)
      this.#emit('mega-live-ready', {
        by: state.proven && !proven ? 'message' : 'load',
        late: phase === 'fallback',
        ms,
      })
    } else if (signal === 'timeout') this.#emit('mega-live-timeout', { ms })
    else if (signal === 'blocked') this.#emit('mega-live-refused', { reason: 'policy' })
  }

  /** @returns false when a listener called preventDefault() */
  #emit<K extends keyof MegaLiveEvents>(name: K, detail: MegaLiveEvents[K]['detail']): boolean {
    return this.dispatchEvent(
      new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: name === 'mega-live-back' }),
    )
  }

  #onMessage = ({ source, origin, data }: MessageEvent): void => {
    // Both must match: our own frame (another frame of the same site may post 'ready' too), and an expected origin.
    if (!this.#url || !source || source !== this.#view.source() || !isReadyMessage(data)) return
    if (readyOrigins(this.#url, this.#sameOrigin, this.readyOrigins).includes(origin)) this.#signal('ready')
  }

  #onViolation = ({ effectiveDirective, blockedURI, disposition }: SecurityPolicyViolationEvent): void => {
    // Of a cross-origin address, browsers report only the origin.
    const ours = this.#url && blockedURI.startsWith(this.#url.origin)
    if (ours && effectiveDirective === 'frame-src' && disposition === 'enforce') this.#signal('blocked')
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'mega-live': MegaLiveElement
  }
}
