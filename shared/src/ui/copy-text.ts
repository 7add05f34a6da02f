import { COPY_TOAST_MS } from '../contract/event.ts'
import type { Notify } from '../contract/host.ts'
import { uiTexts } from '../texts.ts'

/**
 * Milliseconds that the clipboard may take: some apps' web views never answer.
 */
const CLIPBOARD_MS = 800

/**
 * Copies a text and says so by a toast of 1200 ms (specification, section 9).
 * @param shown where the page shows the text. Where the browser refuses to
 * copy, it is selected, to be copied by hand.
 */
export async function copyText(
  text: string,
  copied: string,
  notify: Notify,
  shown?: Node | null,
): Promise<void> {
  if ((await copyByClipboard(text)) || copyBySelection(text)) {
    notify.success(copied, { duration: COPY_TOAST_MS })
    return
  }

  if (!shown) {
    notify.warning(uiTexts.copyFailed)
    return
  }
  getSelection()?.selectAllChildren(shown)
  notify.warning(uiTexts.copySelected)
}

/** Without https there is no clipboard, and the web views of apps refuse it. */
async function copyByClipboard(text: string): Promise<boolean> {
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, CLIPBOARD_MS, false))
  try {
    const written = navigator.clipboard.writeText(text).then(() => true)
    return await Promise.race([written, late])
  } catch {
    return false
  }
}

/**
 * Copies the selection of a field that exists for a moment. In the open dialog,
 * which makes everything outside inert.
 */
function copyBySelection(text: string): boolean {
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  const dialogs = document.querySelectorAll('dialog[open]')
  const place = focused?.closest('dialog[open]') ?? dialogs[dialogs.length - 1] ?? document.body
  place.append(field)
  field.focus({ preventScroll: true })
  field.select()

  let isCopied = false
  try {
    isCopied = document.execCommand('copy')
  } catch {}
  field.remove()
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  return isCopied
}
