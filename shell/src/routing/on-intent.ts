import { pathOfLink } from './follow-links.ts'

const INTENTS = ['pointerover', 'focusin', 'touchstart'] as const

/** Calls `about` with the path of a link, or of a control with `data-path`, that is hovered, focused or touched. */
export function onIntent(about: (path: string) => void): void {
  const look = ({ target }: Event) => {
    const control = target instanceof Element && target.closest('[data-path], a[href]')
    if (control) about(control.getAttribute('data-path') ?? pathOfLink(control))
  }
  for (const intent of INTENTS) document.addEventListener(intent, look, { passive: true })
}
