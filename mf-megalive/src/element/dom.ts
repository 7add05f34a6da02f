/** For pages whose policy blocks the sheet, which overrides it. */
export const UNSTYLED_SIZE = { width: '100%', height: '560' }

/** `class` also names the part, which pages can style. */
export function createElement<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, value)
    if (name === 'class') element.setAttribute('part', value)
  }
  element.append(...children)
  return element
}
