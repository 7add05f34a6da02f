import torn from '@anniversary/shared/campaign/art/torn.svg'
import type { Host } from '@anniversary/shared/contract/host'
import { paths } from '@anniversary/shared/contract/paths'
import { Button } from '@anniversary/shared/ui/Button'
import { Dialog } from '@anniversary/shared/ui/Dialog'
import { prizePicture } from '@anniversary/shared/ui/prize-picture'
import { useDeferredValue } from 'react'
import { artOf } from '../cards/mission-art.ts'
import { codeTexts } from '../code-texts.ts'
import type { HomeState } from '../store/home-state.ts'
import type { HomeStore } from '../store/home-store.ts'
import styles from './CodesDialog.module.css'
import { CodesDialog } from './CodesDialog.tsx'
import { flyToHistory } from './fly-to-history.ts'
import { ShareDialog } from './ShareDialog.tsx'
import { StreakDialog } from './StreakDialog.tsx'

interface HomeDialogsProps {
  host: Host
  state: HomeState
  store: HomeStore
}

/** The open dialog, if any. It renders deferred, so that the click paints first. */
export function HomeDialogs({ host, state, store }: HomeDialogsProps) {
  const { busy, missions, problem } = state
  const dialog = useDeferredValue(state.dialog)
  const { notify } = host
  const onClose = store.closeDialog
  const form = { busy: busy !== null, problem, onClose }
  switch (dialog?.kind) {
    case 'codes': {
      const { mission, fresh } = dialog
      const picture = artOf(mission, missions?.findIndex(({ id }) => id === mission) ?? -1)
      return (
        <CodesDialog
          title={fresh ? codeTexts.codesTitleNew : codeTexts.codesTitle}
          tickets={[...new Set(dialog.codes)].map((code) => ({
            code,
            caption: codeTexts.ticket,
            picture,
          }))}
          note={codeTexts.codesKeep}
          pulse={fresh ? 30 : undefined}
          notify={notify}
          onClose={() => {
            onClose()
            if (fresh && dialog.codes.length > 0) flyToHistory(mission)
          }}
        />
      )
    }
    case 'won':
      return (
        <CodesDialog
          title={codeTexts.wonTitle}
          tickets={dialog.wins.map(({ code, draw, prize }) => ({
            code,
            prize: codeTexts.won(prize),
            caption: codeTexts.wonIn(draw),
            picture: prizePicture(prize),
          }))}
          note={codeTexts.wonNext}
          pulse={200}
          notify={notify}
          onClose={onClose}
        >
          <Button variant="secondary" href={paths.histories}>
            {codeTexts.seeHistory}
          </Button>
        </CodesDialog>
      )
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
