import torn from '@anniversary/shared/campaign/art/torn.svg'
import type { Host } from '@anniversary/shared/contract/host'
import { Button } from '@anniversary/shared/ui/Button'
import { Dialog } from '@anniversary/shared/ui/Dialog'
import { useDeferredValue } from 'react'
import { artOf } from '../cards/mission-art.ts'
import type { HomeState } from '../store/home-state.ts'
import type { HomeStore } from '../store/home-store.ts'
import { texts } from '../texts.ts'
import styles from './CodesDialog.module.css'
import { CodesDialog } from './CodesDialog.tsx'
import { ShareDialog } from './ShareDialog.tsx'
import { StreakDialog } from './StreakDialog.tsx'
import { WonDialog } from './WonDialog.tsx'

interface HomeDialogsProps {
  host: Host
  state: HomeState
  store: HomeStore
}

/** The open dialog, if any. It renders after what else a press has changed, so that the press is answered at once. */
export function HomeDialogs({ host, state, store }: HomeDialogsProps) {
  const { busy, missions, problem } = state
  const dialog = useDeferredValue(state.dialog)
  const { notify } = host
  const onClose = store.closeDialog
  const form = { busy: busy !== null, problem, onClose }
  switch (dialog?.kind) {
    case 'codes':
      return (
        <CodesDialog
          codes={dialog.codes}
          mission={dialog.mission}
          picture={artOf(dialog.mission, missions?.findIndex(({ id }) => id === dialog.mission) ?? -1)}
          fresh={dialog.fresh}
          notify={notify}
          onClose={onClose}
        />
      )
    case 'won':
      return <WonDialog wins={dialog.wins} host={host} onClose={onClose} />
    case 'refused':
      return (
        <Dialog
          kind="error"
          title={texts.refusedTitle}
          onClose={onClose}
          actions={<Button onClick={onClose}>{texts.close}</Button>}
        >
          <p className={styles.refused}>
            <img src={torn} alt="" width="168" height="100" />
            {dialog.text}
          </p>
        </Dialog>
      )
    case 'share':
      return <ShareDialog {...form} host={host} onSubmit={store.submitShare} />
    case 'streak':
      return <StreakDialog {...form} notify={notify} onSubmit={store.submitStreak} />
    default:
      return null
  }
}
