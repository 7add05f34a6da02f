import { embedTexts } from '../texts.ts'
import type { Embeddable } from './addresses.ts'
import { createElement, UNSTYLED_SIZE } from './dom.ts'
import { createFallback } from './fallback.ts'
import type { State } from './phase.ts'
import { applySheet } from './sheet.ts'

export function createView(
  root: ShadowRoot,
  on: { back(event: MouseEvent, href: string): void; retry(): void },
) {
  const back = createElement('a', { class: 'back' }, embedTexts.back)
  // Screen readers take the frame's name.
  const name = createElement('span', { class: 'name', 'aria-hidden': 'true' })
  const hint = createElement('span', { class: 'hint' }, embedTexts.hint)
  const open = createElement(
    'a',
    { class: 'open', target: '_blank', rel: 'noopener noreferrer' },
    embedTexts.open,
  )
  const again = createElement('button', { class: 'retry', type: 'button' }, embedTexts.retry)
  const stage = createElement('div', { class: 'stage' })
  again.onclick = on.retry
  back.onclick = (event) => on.back(event, back.href)
  applySheet(root)
  const bar = createElement('div', { class: 'bar' }, back, name, hint, again, open)
  const box = createElement('div', { class: 'root' }, bar, stage)
  root.append(box)

  let frame: HTMLIFrameElement | undefined
  let cover: HTMLElement | undefined

  return {
    back(href: string | undefined) {
      back.hidden = !href
      if (href) back.href = href
    },

    load({ url, sandbox }: Embeddable, loaded: () => void) {
      // An empty `allow` gives none of the page's permissions.
      frame = createElement('iframe', {
        class: 'frame',
        ...UNSTYLED_SIZE,
        sandbox,
        allow: '',
        referrerpolicy: 'no-referrer',
      })
      frame.onload = loaded
      frame.src = url
      open.href = url
      stage.prepend(frame)
    },

    rename(title: string) {
      name.textContent = title
      for (const page of stage.querySelectorAll<HTMLElement>('iframe, object, embed'))
        page.title = title
    },

    /** Only messages of the frame's window count. */
    source: () => frame?.contentWindow,

    unload() {
      frame?.remove()
      frame = undefined
      open.removeAttribute('href')
    },

    show({ phase, proven }: State) {
      hint.hidden = phase !== 'shown' || proven
      name.hidden = !hint.hidden
      const falls = ['fallback', 'blocked'].includes(phase)
      // Before it is hidden or moved, which takes the focus away.
      if (root.activeElement === again) open.focus()
      again.hidden = hint.hidden && !falls
      // The ready message after the load changes only the hint and its button.
      if (phase === 'shown' && box.dataset.phase === phase) return

      box.dataset.phase = phase
      open.hidden = !frame
      const focused = root.activeElement
      const isInObject = focused?.matches('object, embed') ?? false
      // The keyboard must not reach a covered frame; `tabIndex` is for browsers
      // without `inert`.
      if (frame) {
        const isCovered = phase !== 'shown' || isInObject
        frame.inert = isCovered
        frame.tabIndex = isCovered ? -1 : 0
      }

      if (!falls) bar.append(again, open)
      if (phase === 'shown' && isInObject) {
        // The member already uses the object, so it stays.
        cover?.firstElementChild?.remove()
        return
      }
      const before = cover
      cover = undefined
      if (phase === 'loading')
        cover = createElement(
          'div',
          { class: 'cover overlay', role: 'status' },
          createElement('div', { class: 'spinner' }),
          embedTexts.loading,
        )
      if (phase === 'refused')
        cover = createElement('div', { class: 'cover refused', role: 'alert' }, embedTexts.refused)
      if (frame && falls) cover = createFallback(frame.src, frame.title, open, again)
      if (cover) stage.append(cover)
      // Focus must not stay in an element that is removed.
      if (focused === open || before?.contains(focused)) open.focus()
      before?.remove()
    },
  }
}
