import { createRoot, type Root } from 'react-dom/client'
import { applySheet } from '../../mf-megalive/src/element/sheet.ts'
import { texts } from '../../mf-megalive/src/texts.ts'
import { ReactEmbed } from './ReactEmbed.tsx'

/** The React embed by script tag: the same tag, attributes and shadow root, with a React of its own inside. */
class ReactMegaLive extends HTMLElement {
  static observedAttributes = ['src', 'timeout', 'back-href', 'label', 'require-ready', 'ready-origins']
  #root: Root | undefined
  #announce = (name: string, detail: object): boolean =>
    this.dispatchEvent(
      new CustomEvent(`mega-live-${name}`, {
        detail,
        bubbles: true,
        composed: true,
        cancelable: name === 'back',
      }),
    )

  connectedCallback(): void {
    const shadow = this.shadowRoot ?? this.attachShadow({ mode: 'open' })
    applySheet(shadow)
    this.#root = createRoot(shadow)
    this.#draw()
  }

  disconnectedCallback(): void {
    this.#root?.unmount()
    this.#root = undefined
  }

  attributeChangedCallback(): void {
    this.#draw()
  }

  #draw(): void {
    this.#root?.render(
      <ReactEmbed
        src={this.getAttribute('src') ?? ''}
        timeout={Number(this.getAttribute('timeout')) || 10_000}
        backHref={this.getAttribute('back-href') ?? undefined}
        label={this.getAttribute('label') ?? texts.frameTitle}
        requireReady={this.hasAttribute('require-ready')}
        moreOrigins={this.getAttribute('ready-origins') ?? ''}
        announce={this.#announce}
      />,
    )
  }
}

if (!customElements.get('mega-live')) customElements.define('mega-live', ReactMegaLive)
