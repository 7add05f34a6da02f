import { paths } from '@anniversary/shared/contract/paths'
import styles from './CodesDialog.module.css'
import { prefersMotion } from './motion.ts'

function isInView(element: Element | null | undefined): element is Element {
  if (!element) return false
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > 0 && top < innerHeight
}

function stamp(card: Element | null): void {
  const strike = [{ transform: 'scale(1.8)', opacity: 0 }, {}]
  card?.querySelector('button')?.animate(strike, { duration: 200, pseudoElement: '::before' })
}

/**
 * Animates a ticket from the middle of the window to the mission's card, or to
 * the history link when the card is out of view. Does nothing with reduced
 * motion.
 * @param onLanded called when it has arrived, at once where nothing moves
 */
export function flyToCard(mission: string, onLanded: () => void): void {
  const card = document.getElementById(mission)
  const link = document.querySelector(`main a[href="${paths.histories}"]`)
  const target = [card?.querySelector('img'), link].find(isInView)
  if (!target || !prefersMotion()) {
    onLanded()
    return
  }

  const { left, top, width, height } = target.getBoundingClientRect()
  const ticket = document.createElement('div')
  ticket.className = styles.flying ?? ''
  document.body.append(ticket)
  const [x, y] = [left + width / 2 - innerWidth / 2, top + height / 2 - innerHeight / 2]
  const flight = ticket.animate(
    [
      { transform: 'rotate(-4deg)', opacity: 1 },
      { transform: `translate(${x * 0.4}px, ${y * 0.7}px) scale(.7) rotate(14deg)`, offset: 0.5 },
      { transform: `translate(${x}px, ${y}px) scale(.15) rotate(40deg)`, opacity: 0.6 },
    ],
    { duration: 750, easing: 'cubic-bezier(.5,0,.3,1)' },
  )
  flight.onfinish = () => {
    ticket.remove()
    onLanded()
    if (target === link) link.animate([{}, { transform: 'scale(1.12)' }, {}], { duration: 320 })
    else stamp(card)
  }
}
