import torn from '@anniversary/shared/campaign/art/torn.svg'
import type { Host } from '@anniversary/shared/contract/host'
import { Button } from '@anniversary/shared/ui/Button'
import { Dialog } from '@anniversary/shared/ui/Dialog'
import { useDeferredValue } from 'react'
import { missionArtOf } from '../cards/mission-art.ts'
import { codeTexts } from '../code-texts.ts'
import type { HomeState } from '../store/home-state.ts'
import type { HomeStore } from '../store/home-store.ts'
import styles from './CodesDialog.module.css'
import { CodesDialog } from './CodesDialog.tsx'
import { flyToCard } from './fly-to-card.ts'
import { ShareDialog } from './ShareDialog.tsx'
import { StreakDialog } from './StreakDialog.tsx'
import { WonDialog } from './WonDialog.tsx'

interface HomeDialogsProps {
  host: Host
  state: HomeState
  store: HomeStore
}

/** Renders deferred, so that the click paints first. */
export function HomeDialogs({ host, state, store }: HomeDialogsProps) {
  const { busy, missions, problem } = state
  const dialog = useDeferredValue(state.dialog)
  const { notify } = host
  const onClose = store.closeDialog
  const form = { busy: busy !== null, problem, onClose }
  switch (dialog?.kind) {
    case 'codes': {
      const { mission, fresh } = dialog
      const isNew = fresh && dialog.codes.length > 0
      const picture = missionArtOf(mission, missions?.findIndex(({ id }) => id === mission) ?? -1)
      return (
        <CodesDialog
          // A claim may end while another card's codes are open.
          key={`${mission} ${fresh}`}
          codes={[...new Set(dialog.codes)]}
          picture={picture}
          isFresh={isNew}
          notify={notify}
          onClose={() => {
            onClose()
            if (isNew) flyToCard(mission, store.land)
            else if (fresh) store.land()
          }}
        />
      )
    }
    case 'won':
      return <WonDialog host={host} wins={dialog.wins} onClose={onClose} />
    case 'refused':
      return (
        <Dialog
          kind="error"
          title={codeTexts.refusedTitle}
          onClose={onClose}
          actions={<Button onClick={onClose}>{codeTexts.close}</Button>}
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
