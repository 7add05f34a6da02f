const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')

export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

export type Content = Html | string | number | false | null | undefined | readonly Content[]

/** Escapes what `html` did not make; writes nothing for false and null. */
export const html = (template: TemplateStringsArray, ...contents: readonly Content[]): Html =>
  new Html(String.raw({ raw: template }, ...contents.map(markupOf)))

function markupOf(content: Content): string {
  if (content instanceof Html) return content.markup
  if (typeof content === 'string' || typeof content === 'number') return escapeHtml(`${content}`)
  if (!content) return ''
  return content.map(markupOf).join('')
}
