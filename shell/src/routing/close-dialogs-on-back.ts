import { EVENTS } from '@anniversary/shared/contract/page-names'

/** In the state of the history entry that an open dialog adds. */
const MARK = 'dialog'

const isMarked = () => Boolean(history.state?.[MARK])

function addEntry(): boolean {
  try {
    history.pushState({ ...history.state, [MARK]: true }, '')
  } catch {
    // Safari allows 100 history changes in 10 seconds.
  }
  return isMarked()
}

/**
 * Lets Back close the dialog opened last, as close requests do in browsers that
 * have them; the web views of apps do not. A dialog adds an entry to the
 * history. One that is closed otherwise leaves it: going back here would race
 * with a move to another page. So Back from such an entry skips the one below,
 * which shows the same page.
 */
export function closeDialogsOnBack(): void {
  let isAtDialog = isMarked()
  let path = location.pathname

  document.addEventListener(EVENTS.dialogOpened, () => {
    isAtDialog = isMarked() || addEntry()
    path = location.pathname
  })

  addEventListener('popstate', () => {
    const wasAtDialog = isAtDialog
    // Forward from a dialog's entry leads to another page.
    const isSamePage = location.pathname === path
    isAtDialog = isMarked()
    path = location.pathname
    const dialogs = document.querySelectorAll('dialog[open]')
    // Of several, the order in the document is not that of their opening.
    const top = document.activeElement?.closest('dialog[open]') ?? dialogs[dialogs.length - 1]
    if (top) {
      top.dispatchEvent(new Event('cancel', { cancelable: true }))
      if (dialogs.length > 1) isAtDialog = addEntry()
      return
    }
    if (wasAtDialog && !isAtDialog && isSamePage) history.back()
  })
}
