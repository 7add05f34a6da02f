import { expect, type Locator, type Page } from '@playwright/test'

const TARGET_PX = 44

/** Controls smaller than a finger; a field's label counts as part of it. */
export const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate((least) => {
    const dialog = [...document.querySelectorAll('dialog[open]')].at(-1)
    const all = (dialog ?? document).querySelectorAll<HTMLElement>(
      'a[href], button, input, textarea, select',
    )
    return [...all].flatMap((element) => {
      if (!element.checkVisibility({ visibilityProperty: true }) || element.closest('[inert]'))
        return []
      // A link in a sentence is as high as its line (WCAG 2.5.8).
      if (element.matches('p a, li a')) return []
      const label = element.closest('label')
      const fits = [element, ...(label ? [label] : [])].some((box) => {
        const { width, height } = box.getBoundingClientRect()
        return width >= least - 0.5 && height >= least - 0.5
      })
      const { width, height } = element.getBoundingClientRect()
      const name = element.getAttribute('aria-label') ?? element.textContent ?? ''
      return fits
        ? []
        : [`${element.localName} "${name.trim()}" ${Math.round(width)}x${Math.round(height)}`]
    })
  }, TARGET_PX)

/**
 * Pixels by which page, words or an open dialog are wider than the window, or
 * the content of a dialog than its box.
 */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const root = document.documentElement
    const parts = [...document.querySelectorAll('dialog[open] *')]
    const scrolling = parts.filter((part) => /auto|scroll/.test(getComputedStyle(part).overflowX))
    // The layout clips what is too wide, so that the page itself never scrolls.
    const words = [
      ...document.querySelectorAll('main :is(h1, h2, p, b, dt, dd, a, button, section)'),
    ].filter((part) => !part.parentElement?.closest('section[tabindex]'))
    return Math.max(
      ...[root, ...scrolling].map((box) => box.scrollWidth - box.clientWidth),
      ...[...parts, ...words].map((part) =>
        Math.floor(part.getBoundingClientRect().right - innerWidth),
      ),
    )
  })

/**
 * Counts running animations: those that end, those that never end, and those
 * beneath an open dialog.
 */
export const moving = (page: Page): Promise<{ ending: number; endless: number; beneath: number }> =>
  page.evaluate(() => {
    const embed = document.querySelector('mega-live')?.shadowRoot
    const running = [...document.getAnimations(), ...(embed?.getAnimations() ?? [])].filter(
      ({ effect, playState }) =>
        playState === 'running' && Number(effect?.getComputedTiming().duration) > 100,
    )
    const isEndless = ({ effect }: Animation) => effect?.getComputedTiming().iterations === Infinity
    const dialog = document.querySelector('dialog[open]')
    return {
      ending: running.filter((animation) => !isEndless(animation)).length,
      endless: running.filter(isEndless).length,
      beneath: running.filter(
        ({ effect }) =>
          dialog && effect instanceof KeyframeEffect && !dialog.contains(effect.target),
      ).length,
    }
  })

const clipped = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('body *')].flatMap((element) => {
      const hasText = [...element.childNodes].some(
        (node) => node instanceof Text && node.data.trim() !== '',
      )
      // What is visually hidden is one pixel wide, what is inline has no width
      // of its own.
      if (!hasText || element.clientWidth <= 1 || !element.checkVisibility()) return []
      const over = element.scrollWidth - element.clientWidth
      return over > 1 ? [`${element.textContent?.trim()}: ${over} px`] : []
    }),
  )

/** Whether nothing covers its middle. */
const isOnTop = (control: Locator): Promise<boolean> =>
  control.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    const root = element.getRootNode() as Document | ShadowRoot // it is in the page
    const found = root.elementFromPoint(x + width / 2, y + height / 2)
    return found !== null && (element.contains(found) || found.contains(element))
  })

/** Parts of a dialog that scroll behind less than two lines of text. */
const slits = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('dialog[open] *')].flatMap((part) => {
      const { overflowY, lineHeight, paddingTop, paddingBottom } = getComputedStyle(part)
      if (!/auto|scroll/.test(overflowY) || part.scrollHeight <= part.clientHeight) return []
      const room =
        part.clientHeight - Number.parseFloat(paddingTop) - Number.parseFloat(paddingBottom)
      return room < 2 * Number.parseFloat(lineHeight) ? [`${part.className}: ${room} px`] : []
    }),
  )

/**
 * In landscape, above a keyboard (`interactive-widget=resizes-content`) and
 * with text at 200 % each control is hit, and seen when it has the focus.
 */
export async function expectReachable(page: Page): Promise<void> {
  const dialog = page.locator('dialog[open]')
  const root = (await dialog.count()) > 0 ? dialog.last() : page.locator('body')
  // Without the link to skip the header.
  const controls = root.locator(
    ':is(a[href]:not([href^="#"]), button, input, textarea):not(:disabled):visible',
  )
  for (const [width, height, text] of [
    [640, 360, '100%'],
    [390, 360, '100%'],
    [640, 180, '100%'],
    [390, 844, '200%'],
    [390, 664, '200%'],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.evaluate((size) => {
      document.documentElement.style.fontSize = size
    }, text)
    expect(await overflow(page), `scrolls sideways at ${width} px, text at ${text}`).toBe(0)
    await expect(controls).not.toHaveCount(0)
    const all = await controls.all()
    for (const control of all) await control.click({ trial: true })
    // Backwards, since what stays at the window's top covers what comes from above.
    for (const control of all.reverse()) {
      await control.focus()
      expect(await isOnTop(control), `${control} has the focus and is covered`).toBe(true)
      if (!(await control.evaluate((element) => element.matches('input, textarea')))) continue
      await expect(control).toBeInViewport({ ratio: 0.98 })
    }
    expect(await slits(page), `lines at ${width}x${height}, text at ${text}`).toEqual([])
    expect(await clipped(page), `clipped at ${width} px, text at ${text}`).toEqual([])
  }
}
