type Child = Node | string | false | null | undefined
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

function filled<E extends Element>(element: E, attributes: Attributes, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : `${value}`)
  element.append(...children.filter((child) => child !== false && child !== null && child !== undefined))
  return element
}

/** An element of HTML. Text is never parsed, so nothing in it can be markup. */
export const h = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] => filled(document.createElement(tag), attributes, children)

/** An element of SVG. */
export const svg = <K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] =>
  filled(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children)

/** A button in the look of shared/ui. Its id brings the focus back to it after the page is drawn anew. */
export function button(
  id: string,
  text: string,
  variant: 'primary' | 'secondary' | 'danger',
  onPress: () => void,
): HTMLButtonElement {
  const element = h('button', { id, type: 'button', class: `button ${variant}` }, text)
  element.addEventListener('click', onPress)
  return element
}
