import { escapeHtml } from '@anniversary/deploy/html'

export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

export type Content = Html | string | number | false | null | undefined | readonly Content[]

/** A template of HTML. What is put into it is escaped, unless `html` has made it; nothing is written for false and null. */
export const html = (template: TemplateStringsArray, ...contents: readonly Content[]): Html =>
  new Html(String.raw({ raw: template }, ...contents.map(markupOf)))

function markupOf(content: Content): string {
  if (content instanceof Html) return content.markup
  if (typeof content === 'string' || typeof content === 'number') return escapeHtml(`${content}`)
  return content ? content.map(markupOf).join('') : ''
}
