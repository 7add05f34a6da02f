import styles from './CodesDialog.module.css'
import { prefersMotion } from './motion.ts'

const PIECES = 28
const KINDS = 3
const COLOURS = 4

const RISE = 'cubic-bezier(0.15, 0.7, 0.4, 1)'
const FALL = 'cubic-bezier(0.55, 0, 0.9, 0.5)'

/** Does nothing with reduced motion. */
export function throwPaper(from: Element): void {
  if (!prefersMotion()) return
  const { left, top, width } = from.getBoundingClientRect()
  const layer = document.createElement('div')
  layer.className = styles.paper ?? ''
  layer.setAttribute('aria-hidden', 'true')
  const flights = Array.from({ length: PIECES }, (_, index) => {
    const piece = document.createElement('i')
    piece.dataset.kind = String(index % KINDS)
    piece.dataset.colour = String(index % COLOURS)
    layer.append(piece)

    const side = index / (PIECES - 1) - 0.5
    const start = left + width * (index / (PIECES - 1))
    const height = 110 + ((index * 67) % 170)
    const turn = (index % 2 ? 1 : -1) * (200 + ((index * 83) % 400))
    const at = (x: number, y: number, angle: number) =>
      `translate(${start + x}px, ${top + y}px) rotate(${angle}deg) rotateX(${angle * 2}deg)`
    return piece.animate(
      [
        { transform: at(0, 0, 0), easing: RISE },
        { transform: at(side * width * 0.35, -height, turn * 0.4), offset: 0.32, easing: FALL },
        { transform: at(side * width * 0.7, innerHeight - top + 40, turn) },
      ],
      { duration: 1800, delay: (index * 29) % 120, fill: 'both' },
    )
  })
  from.closest('dialog')?.append(layer)
  void Promise.allSettled(flights.map(({ finished }) => finished)).then(() => layer.remove())
}
