import type { Host } from '@anniversary/shared/contract/host'
import { Button } from '@anniversary/shared/ui/Button'
import { Dialog } from '@anniversary/shared/ui/Dialog'
import { CodesDialog } from './CodesDialog.tsx'
import type { HomeState } from './home-state.ts'
import type { HomeStore } from './home-store.ts'
import { texts } from './texts.ts'

/** The one dialog that is open, if any. */
export const HomeDialogs = ({ host, state, store }: { host: Host; state: HomeState; store: HomeStore }) => {
  const { dialog } = state
  if (dialog?.kind === 'codes')
    return (
      <CodesDialog
        codes={dialog.codes}
        fresh={dialog.fresh}
        notify={host.notify}
        onClose={store.closeDialog}
      />
    )
  if (dialog?.kind === 'refused')
    return (
      <Dialog
        open
        kind="error"
        title={texts.refusedTitle}
        onClose={store.closeDialog}
        actions={<Button onClick={store.closeDialog}>{texts.close}</Button>}
      >
        <p>{dialog.text}</p>
      </Dialog>
    )
  return null
}
