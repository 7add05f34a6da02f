import type { Host, Win } from '@anniversary/shared/contract/host'
import { paths } from '@anniversary/shared/contract/paths'
import { Button } from '@anniversary/shared/ui/Button'
import { Dialog } from '@anniversary/shared/ui/Dialog'
import { prizePicture } from '@anniversary/shared/ui/prize-picture'
import { Ticket } from '../Ticket.tsx'
import { texts } from '../texts.ts'
import { Burst } from './Burst.tsx'
import styles from './CodesDialog.module.css'

const PULSES = [40, 60, 80]

/** Celebrates new wins: each prize with the code that has won it, and what to do next. */
export const WonDialog = ({ wins, host, onClose }: { wins: readonly Win[]; host: Host; onClose(): void }) => (
  <Dialog
    kind="celebrate"
    title={texts.wonTitle}
    onClose={onClose}
    actions={
      <>
        <Button variant="secondary" href={paths.histories}>
          {texts.seeHistory}
        </Button>
        <Button onClick={onClose}>{texts.confirm}</Button>
      </>
    }
  >
    <Burst pulse={PULSES} />
    <ul className={styles.codes}>
      {wins.map(({ code, draw, prize }) => (
        <li key={code}>
          <p className={styles.prize}>
            {prizePicture(prize) && <img src={prizePicture(prize)} alt="" width="160" height="112" />}
            <b>{prize}</b>
          </p>
          <Ticket code={code} caption={texts.wonIn(draw)} picture={undefined} fresh notify={host.notify} />
        </li>
      ))}
    </ul>
    <p className={styles.keep}>{texts.wonNext}</p>
  </Dialog>
)
