import axe from 'axe-core'

/** What axe finds wrong. Without contrast, which jsdom does not paint; the end-to-end tests measure it. */
export async function axeViolations(element: Element) {
  const { violations } = await axe.run(element, { rules: { 'color-contrast': { enabled: false } } })
  return violations
}
