import { COPY_TOAST_MS } from '../contract/event.ts'
import type { Notify } from '../contract/host.ts'
import { uiTexts } from '../texts.ts'

/** Copies a text and says so by a toast of 1200 ms (specification, section 9), or asks to copy it by hand. */
export async function copyText(text: string, copied: string, notify: Notify): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    notify.success(copied, { duration: COPY_TOAST_MS })
  } catch {
    notify.warning(uiTexts.copyFailed)
  }
}
