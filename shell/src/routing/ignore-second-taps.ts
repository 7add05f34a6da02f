/** The double-click time of Windows; phones use less. */
const DOUBLE_TAP_MS = 500
const FINGER_PX = 44

interface Tap {
  readonly event: MouseEvent
  readonly page: string
}

/**
 * Phones report `detail` 1 for each tap, so time and place decide; key presses
 * have no place.
 */
function isSecondTap({ event, page }: Tap, first: Tap | undefined): boolean {
  if (!first || first.page === page || event.detail === 0) return false
  const { timeStamp, clientX, clientY } = first.event
  const distance = Math.hypot(event.clientX - clientX, event.clientY - clientY)
  return event.timeStamp - timeStamp < DOUBLE_TAP_MS && distance < FINGER_PX
}

/**
 * Ignores the second tap of a double tap whose first tap opened another page,
 * where a logout may be at that place.
 * @returns a function that ends it
 */
export function ignoreSecondTaps(): () => void {
  let first: Tap | undefined
  const onClick = (event: MouseEvent) => {
    const tap = { event, page: location.pathname }
    if (!isSecondTap(tap, first)) {
      first = tap
      return
    }
    event.preventDefault()
    event.stopPropagation()
  }
  // In the capture phase, before the page's own handlers.
  document.addEventListener('click', onClick, true)
  return () => document.removeEventListener('click', onClick, true)
}
