import { pathOfLink } from './follow-links.ts'

const INTENTS = ['pointerover', 'focusin', 'touchstart'] as const

/**
 * Calls `about` with a path of the app when a link to it, or a control that carries it as `data-path`, is hovered,
 * focused or touched. It listens on the document, so a remote needs no code for it.
 */
export function onIntent(about: (path: string) => void): void {
  const look = ({ target }: Event) => {
    const control = target instanceof Element && target.closest('[data-path], a[href]')
    if (control) about(control.getAttribute('data-path') ?? pathOfLink(control))
  }
  for (const intent of INTENTS) document.addEventListener(intent, look, { passive: true })
}
