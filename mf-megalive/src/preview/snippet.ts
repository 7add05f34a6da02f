/** The two lines that a page of the brand pastes, with the options of the preview page's form. */
export interface SnippetOptions {
  readonly script: string
  /** Pins the script: the browser refuses any other bytes. */
  readonly integrity?: string | undefined
  readonly src: string
  readonly seconds?: number | undefined
  readonly backHref?: string | undefined
  readonly label?: string | undefined
  readonly requireReady?: boolean | undefined
  /** CSS properties of the element: height and colours. */
  readonly style?: Readonly<Record<string, string>> | undefined
}

const quoted = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

const attribute = (name: string, value: string | undefined): string =>
  value ? ` ${name}="${quoted(value)}"` : ''

export function snippet(options: SnippetOptions): string {
  const { script, integrity, src, seconds, backHref, label, requireReady, style = {} } = options
  const pin = integrity ? `${attribute('integrity', integrity)} crossorigin="anonymous"` : ''
  const css = Object.entries(style)
    .map(([name, value]) => `${name}: ${value}`)
    .join('; ')
  const attributes = [
    attribute('src', src),
    attribute('timeout', seconds && seconds !== 10 ? String(Math.round(seconds * 1000)) : undefined),
    attribute('back-href', backHref),
    attribute('label', label),
    requireReady ? ' require-ready' : '',
    attribute('style', css),
  ]
  return `<script src="${quoted(script)}"${pin} async></script>\n<mega-live${attributes.join('')}></mega-live>`
}
