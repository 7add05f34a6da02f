const INTENTS = ['pointerover', 'focusin', 'touchstart'] as const

/**
 * Tells when somebody is about to go to a path of the app: a link to it, or a control that carries `data-path`, is
 * hovered, focused or touched. One listener for all pages, so a remote needs no code for it.
 */
export function onIntent(about: (path: string) => void): void {
  const look = ({ target }: Event) => {
    const control = target instanceof Element && target.closest('[data-path], a[href]')
    if (control) about(control.getAttribute('data-path') ?? control.getAttribute('href') ?? '')
  }
  for (const intent of INTENTS) document.addEventListener(intent, look, { passive: true })
}
