import { paths } from '@anniversary/shared/contract/paths'
import styles from './CodesDialog.module.css'

function isInView(element: Element | null): element is Element {
  const { top = 0, bottom = 0 } = element?.getBoundingClientRect() ?? {}
  return bottom > 0 && top < innerHeight
}

/**
 * Animates a ticket from the middle of the window to the history link, or to the mission's card when the link is out of
 * view. Does nothing with reduced motion.
 */
export function flyToHistory(mission: string): void {
  const link = document.querySelector(`main a[href="${paths.histories}"]`)
  const picture = document.getElementById(mission)?.querySelector('img') ?? null
  const target = [link, picture].find(isInView)
  if (!target || !matchMedia('(prefers-reduced-motion: no-preference)').matches) return
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
    if (target === link) link.animate([{}, { transform: 'scale(1.12)' }, {}], { duration: 320 })
    else
      target
        .closest('li')
        ?.querySelector('button')
        ?.animate([{ transform: 'scale(1.8)', opacity: 0 }, {}], {
          duration: 200,
          pseudoElement: '::before',
        })
  }
}
