import { isPlainClick } from '@anniversary/shared/client/plain-click'
import { EMBED_TIMEOUT_MS } from '@anniversary/shared/contract/event'
import { embedTexts } from '../texts.ts'
import { type Embeddable, embeddableAddress, navigableAddress } from './addresses.ts'
import type { MegaLiveEvents } from './events.ts'
import { IDLE, nextPhase, type Phase, type Signal } from './phase.ts'
import { createView } from './view.ts'

// A server has no HTMLElement.
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement)

const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Attributes, events, custom properties and parts: docs/use/embed.md. */
export class MegaLiveElement extends Base {
  static observedAttributes: readonly string[] = ['src', 'timeout', 'back-href', 'label']

  #state = IDLE
  #startedAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #page: Embeddable | undefined
  /** An upgrade reports attributes before it connects. */
  #connected = false
  #view = createView(this.attachShadow({ mode: 'open' }), {
    back: (event, href) => {
      if (isPlainClick(event) && !this.#emit('mega-live-back', { href })) event.preventDefault()
    },
    retry: () => this.#load(),
  })

  get phase(): Phase {
    return this.#state.phase
  }

  get proven(): boolean {
    return this.#state.proven
  }

  connectedCallback(): void {
    this.#connected = true
    this.#showBack()
    this.#load()
  }

  disconnectedCallback(): void {
    this.#connected = false
    this.#unload()
    this.#signal('stop')
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before === after || !this.#connected) return
    if (name === 'src') this.#load()
    else if (name === 'back-href') this.#showBack()
    else if (name === 'label') this.#showLabel()
    else if (this.phase === 'loading') this.#arm()
  }

  #load(): void {
    this.#unload()
    // Chromium holds back frames of other sites while it renders a page ahead.
    // Not in TypeScript's DOM library.
    const { prerendering } = this.ownerDocument as { prerendering?: boolean }
    if (prerendering) {
      this.ownerDocument.addEventListener('prerenderingchange', this.#onActivation, { once: true })
      return
    }
    const src = this.getAttribute('src')?.trim()
    // An empty address would frame the embedding page itself.
    if (!src) {
      this.#signal('stop')
      return
    }
    this.#page = embeddableAddress(src, this.ownerDocument.baseURI, self.origin)
    if (!this.#page) {
      this.#signal('refuse')
      // Code that just inserted the element can still listen.
      queueMicrotask(() => this.#emit('mega-live-refused', { reason: 'src' }))
      return
    }
    addEventListener('message', this.#onMessage)
    this.ownerDocument.addEventListener('securitypolicyviolation', this.#onViolation)
    this.#startedAt = performance.now()
    this.#arm()
    this.#view.load(this.#page, () => this.#signal('load'))
    this.#showLabel()
    this.#signal('start')
  }

  #unload(): void {
    clearTimeout(this.#timer)
    removeEventListener('message', this.#onMessage)
    this.ownerDocument.removeEventListener('securitypolicyviolation', this.#onViolation)
    this.#page = undefined
    this.#view.unload()
  }

  #showBack(): void {
    this.#view.back(navigableAddress(this.getAttribute('back-href'), this.ownerDocument.baseURI))
  }

  #showLabel(): void {
    this.#view.rename(this.getAttribute('label') || embedTexts.frameTitle)
  }

  #elapsed(): number {
    return Math.round(performance.now() - this.#startedAt)
  }

  /** Counts from the start of the load. */
  #arm(): void {
    clearTimeout(this.#timer)
    const wanted = Number(this.getAttribute('timeout'))
    // Browsers end a longer timer at once.
    const timeout = wanted > 0 ? Math.min(wanted, LONGEST_TIMER_MS) : EMBED_TIMEOUT_MS
    this.#timer = setTimeout(() => this.#signal('timeout'), timeout - this.#elapsed())
  }

  #signal(signal: Signal): void {
    const { phase, proven } = this.#state
    const state = nextPhase(this.#state, signal, this.#requiresReady())
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

  /** React 18 and Vue write `false` as text. */
  #requiresReady(): boolean {
    return ![null, 'false'].includes(this.getAttribute('require-ready'))
  }

  /** @returns false when a listener called preventDefault() */
  #emit<K extends keyof MegaLiveEvents>(name: K, detail: MegaLiveEvents[K]['detail']): boolean {
    return this.dispatchEvent(
      new CustomEvent(name, {
        detail,
        bubbles: true,
        composed: true,
        cancelable: name === 'mega-live-back',
      }),
    )
  }

  #onActivation = (): void => {
    if (this.#connected) this.#load()
  }

  #onMessage = ({ source, origin, data }: MessageEvent): void => {
    // Another frame of the site may post 'ready'. A sandboxed page has no
    // origin.
    const isFrame = source && source === this.#view.source()
    const isOurs = isFrame && [this.#page?.origin, 'null'].includes(origin)
    const isReady = data === 'ready' || data?.type === 'mega-live:ready'
    if (isOurs && isReady) this.#signal('ready')
  }

  #onViolation = ({
    effectiveDirective,
    blockedURI,
    disposition,
  }: SecurityPolicyViolationEvent): void => {
    // Browsers report only the origin of cross-origin addresses.
    const isOurs = this.#page && `${blockedURI}/`.startsWith(`${this.#page.origin}/`)
    const isBlocked = effectiveDirective === 'frame-src' && disposition === 'enforce'
    if (isOurs && isBlocked) this.#signal('blocked')
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'mega-live': MegaLiveElement
  }
}
