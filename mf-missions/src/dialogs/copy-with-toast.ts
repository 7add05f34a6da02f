import { COPY_TOAST_MS } from '@anniversary/shared/contract/event'
import type { Notify } from '@anniversary/shared/contract/host'
import { copyText } from '@anniversary/shared/ui/copy-text'
import { texts } from '../texts.ts'

/** Copies a text and shows a toast for 1200 ms (specification, section 9), or one that asks to copy it by hand. */
export async function copyWithToast(text: string, copied: string, notify: Notify): Promise<void> {
  if (await copyText(text)) notify.success(copied, { duration: COPY_TOAST_MS })
  else notify.warning(texts.copyFailed)
}
