import type { MegaLiveElement } from '../element/mega-live.ts'
import { texts } from './preview-texts.ts'
import { type PublishedScript, publishedScript } from './published-script.ts'
import { snippet } from './snippet.ts'

/** The preview page: a form, the embed as the form says, and the snippet to paste. */
function find<T extends HTMLElement>(id: string, kind: new () => T): T {
  const element = document.getElementById(id)
  if (!(element instanceof kind)) throw new Error(`#${id} is missing`)
  return element
}

const form = find('form', HTMLFormElement)
const code = find('code', HTMLElement)
const copied = find('copied', HTMLElement)
const note = find('note', HTMLElement)
// The published script defines its class; this page loads it as any other page does.
const embed = document.createElement('mega-live') as MegaLiveElement

let published: PublishedScript | undefined

function absolute(address: string): string {
  try {
    return new URL(address, location.href).href
  } catch {
    return address
  }
}

/** Text of a field; empty where it has the embed's default. */
function chosen(name: string): string {
  const field = form.elements.namedItem(name)
  if (!(field instanceof HTMLInputElement)) return ''
  if (field.type === 'checkbox') return field.checked ? 'on' : ''
  return field.value === field.defaultValue ? '' : field.value.trim()
}

/** Attributes of the embed, as the form says. */
function attributes(): Record<string, string> {
  const src = String(new FormData(form).get('src')).trim()
  const all = {
    src: src && absolute(src),
    timeout: chosen('seconds') && String(Math.round(Number(chosen('seconds')) * 1000)),
    'back-href': chosen('back'),
    label: chosen('label'),
  }
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
  return chosen('require') ? { ...given, 'require-ready': '' } : given
}

/** Its size and colours. */
function style(): string {
  const height = chosen('height') && `height: ${chosen('height')}px`
  const colours = ['ground', 'ink', 'accent'].map(
    (name) => chosen(name) && `--mega-live-${name}: ${chosen(name)}`,
  )
  return [height, ...colours].filter(Boolean).join('; ')
}

function update(): void {
  const wanted = attributes()
  for (const name of embed.getAttributeNames()) if (!(name in wanted)) embed.removeAttribute(name)
  for (const [name, value] of Object.entries(wanted)) embed.setAttribute(name, value)
  // The page's policy refuses style attributes, but not the CSSOM.
  embed.style.cssText = style()

  const pinned = chosen('pinned') !== ''
  note.hidden = !pinned
  note.textContent = published ? texts.pinned(published.version) : texts.unknown
  code.textContent = snippet({
    script: (pinned && published?.pinned) || absolute('/embed/mega-live.js'),
    integrity: pinned ? published?.integrity : undefined,
    attributes: { ...wanted, ...(style() && { style: style() }) },
  })
  copied.textContent = ''
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  update()
  embed.reload()
})
// On input, so that nothing moves under the pointer that leaves a field; an address only on change, when it is whole.
form.addEventListener('input', ({ target }) => {
  if (target !== form.elements.namedItem('src')) update()
})
form.addEventListener('change', update)

find('copy', HTMLButtonElement).addEventListener('click', async () => {
  try {
    await navigator.clipboard.writeText(code.textContent ?? '')
    copied.textContent = texts.copied
  } catch {
    // No permission for the clipboard: select the text, so that the keyboard can copy it.
    getSelection()?.selectAllChildren(code)
    copied.textContent = texts.marked
  }
})

// The way back would leave this page.
embed.addEventListener('mega-live-back', (event) => event.preventDefault())

update()
find('stage', HTMLElement).append(embed)
publishedScript(location.href)
  .then((found) => {
    published = found
  })
  .catch(() => {
    // No composition: offer the newest version alone.
  })
  .finally(update)
