import type { Host, Win } from '@anniversary/shared/contract/host'
import { paths } from '@anniversary/shared/contract/paths'
import { PRIZES } from '@anniversary/shared/contract/prizes'
import { Button } from '@anniversary/shared/ui/Button'
import { claimAdvice } from '@anniversary/shared/ui/claim-advice'
import { Dialog } from '@anniversary/shared/ui/Dialog'
import '@anniversary/shared/ui/wordmark.css'
import { prizePicture } from '@anniversary/shared/ui/prize-picture'
import { useEffect, useId } from 'react'
import { codeTexts } from '../code-texts.ts'
import styles from './CodesDialog.module.css'
import { vibratePhone } from './motion.ts'
import { DARK_MS } from './RollingCode.tsx'
import { Ticket } from './Ticket.tsx'
import won from './WonDialog.module.css'

/**
 * 0 is the special prize; a prize that the campaign does not know comes last.
 */
function rankOf({ prize }: Win): number {
  const rank = PRIZES.findIndex(({ name }) => name === prize)
  if (rank === -1) return PRIZES.length
  return rank
}

interface WonDialogProps {
  host: Host
  wins: readonly Win[]
  onClose(): void
}

export function WonDialog({ host, wins, onClose }: WonDialogProps) {
  const id = useId()
  const idOf = (place: number) => `${id}${place}`
  const { supportUrl } = host.config
  const sorted = [...wins].sort((a, b) => rankOf(a) - rankOf(b))
  const [best] = sorted
  useEffect(() => {
    const reveal = setTimeout(() => vibratePhone([200]), DARK_MS)
    return () => clearTimeout(reveal)
  }, [])
  if (!best) return null
  const picture = prizePicture(best.prize)
  const advice = claimAdvice(wins, host.clock.now())
  const isSpecial = rankOf(best) === 0
  return (
    <Dialog
      kind="celebrate"
      className={isSpecial ? `${won.won} ${won.special}` : won.won}
      title={
        <>
          <small>{codeTexts.youWon}</small> <span className={won.name}>{best.prize}</span>
          {sorted.length > 1 && <small> {codeTexts.andMore(sorted.length - 1)}</small>}
          {picture && <img className={won.prize} src={picture} alt="" width="210" height="147" />}
        </>
      }
      describedBy={sorted.map((_, place) => idOf(place)).join(' ')}
      onClose={onClose}
      actions={
        <>
          <Button variant="secondary" href={paths.histories}>
            {codeTexts.seeHistory}
          </Button>
          {supportUrl && wins.some(({ isGiftcode }) => !isGiftcode) ? (
            <Button href={supportUrl} target="_blank" rel="noreferrer">
              {codeTexts.claimPrize}
            </Button>
          ) : (
            <Button onClick={onClose}>{codeTexts.done}</Button>
          )}
        </>
      }
    >
      <ul className={styles.codes}>
        {sorted.map(({ code, draw, prize }, place) => (
          <li key={`${code} ${prize}`}>
            <Ticket
              id={idOf(place)}
              code={code}
              {...(sorted.length > 1 && { prize: codeTexts.won(prize) })}
              caption={codeTexts.wonIn(draw)}
              picture={place > 0 ? prizePicture(prize) : undefined}
              entrance="roll"
              notify={host.notify}
            />
          </li>
        ))}
      </ul>
      {advice && <p className={styles.keep}>{advice}</p>}
    </Dialog>
  )
}
