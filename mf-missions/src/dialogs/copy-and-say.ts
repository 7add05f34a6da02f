import { COPY_TOAST_MS } from '@anniversary/shared/contract/event'
import type { Notify } from '@anniversary/shared/contract/host'
import { copyText } from '@anniversary/shared/ui/copy-text'
import { texts } from '../texts.ts'

/** Copies a text and says so for 1200 ms (specification, section 9), or says that it must be done by hand. */
export async function copyAndSay(text: string, said: string, notify: Notify): Promise<void> {
  if (await copyText(text)) notify.success(said, { duration: COPY_TOAST_MS })
  else notify.warning(texts.copyFailed)
}
