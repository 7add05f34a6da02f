/**
 * Copies a text to the clipboard. Where there is no Clipboard API (plain http, old in-app browsers) it falls back on
 * the selection of a short-lived text area, which stands in the open dialog: outside, a modal one makes it inert.
 * @returns false where the browser refuses both
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const focused = document.activeElement
    const area = document.createElement('textarea')
    area.value = text
    area.readOnly = true
    const place = document.querySelector('dialog[open]') ?? document.body
    place.append(area)
    area.focus({ preventScroll: true })
    area.select()
    const copied = document.execCommand?.('copy') ?? false
    area.remove()
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
    return copied
  }
}
