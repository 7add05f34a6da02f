export interface SnippetOptions {
  readonly script: string
  /** Pins the script: the browser refuses any other bytes. */
  readonly integrity?: string | undefined
  /** Of the element, by name; an empty text is a name alone. */
  readonly attributes: Readonly<Record<string, string>>
}

const quoted = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

/** The two lines that a page of the brand pastes. */
export function snippet({ script, integrity, attributes }: SnippetOptions): string {
  const pin = integrity ? ` integrity="${integrity}" crossorigin="anonymous"` : ''
  const written = Object.entries(attributes).map(([name, value]) =>
    value === '' ? ` ${name}` : ` ${name}="${quoted(value)}"`,
  )
  return `<script src="${quoted(script)}"${pin} async></script>\n<mega-live${written.join('')}></mega-live>`
}
