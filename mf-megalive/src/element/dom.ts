/** Builds an element with its attributes and children; `class` names the part too, so that pages can style it. */
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
