/**
 * Copies a text to the clipboard. Without a Clipboard API (plain http, old in-app browsers) it copies the selection of
 * a temporary text area, inside the open dialog if there is one, since everything outside is inert.
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
