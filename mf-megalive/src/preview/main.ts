import type { MegaLiveElement } from '../element/mega-live.ts'
import { texts } from './preview-texts.ts'
import { type PublishedScript, publishedScript } from './published-script.ts'
import { snippet } from './snippet.ts'

/** The preview page: a form, the embed as the form says, the snippet to paste, and the embed's events. */
function find<T extends HTMLElement>(id: string, kind: new () => T): T {
  const element = document.getElementById(id)
  if (!(element instanceof kind)) throw new Error(`#${id} is missing`)
  return element
}

const form = find('form', HTMLFormElement)
const code = find('code', HTMLElement)
const copy = find('copy', HTMLButtonElement)
const copied = find('copied', HTMLElement)
const log = find('log', HTMLOListElement)
const note = find('note', HTMLElement)
const stage = find('stage', HTMLElement)
// The published script defines its class; this page loads it as any other page does.
const embed = document.createElement('mega-live') as MegaLiveElement
const EVENTS = ['ready', 'timeout', 'refused', 'back', 'open'] as const
const COLOURS = { ground: '#2b070c', ink: '#fff6e6', accent: '#f3cb70' } as const

let published: PublishedScript | undefined

const value = (name: string): string => String(new FormData(form).get(name) ?? '').trim()
const script = () => new URL('/embed/mega-live.js', location.href).href
function absolute(address: string): string {
  try {
    return new URL(address, location.href).href
  } catch {
    return address
  }
}

function style(): Record<string, string> {
  const chosen: Record<string, string> = {}
  const height = Number(value('height'))
  if (height > 0 && height !== 640) chosen.height = `${height}px`
  for (const [name, usual] of Object.entries(COLOURS)) {
    if (value(name) !== usual) chosen[`--mega-live-${name}`] = value(name)
  }
  return chosen
}

function update(): void {
  const seconds = Number(value('seconds'))
  const wanted = style()
  embed.removeAttribute('style')
  for (const [name, one] of Object.entries(wanted)) embed.style.setProperty(name, one)
  const set = (name: string, one: string) => {
    if (!one) embed.removeAttribute(name)
    else if (embed.getAttribute(name) !== one) embed.setAttribute(name, one)
  }
  set('back-href', value('back'))
  set('label', value('label'))
  set('timeout', seconds > 0 ? String(seconds * 1000) : '')
  embed.toggleAttribute('require-ready', value('require') !== '')
  set('src', value('src'))

  const pin = value('version') === 'pinned' ? published : undefined
  note.hidden = value('version') !== 'pinned'
  note.textContent = published ? texts.pinned(published.version) : texts.unknown
  code.textContent = snippet({
    script: pin?.pinned ?? script(),
    integrity: pin?.integrity,
    src: absolute(value('src')),
    seconds,
    backHref: value('back'),
    label: value('label'),
    requireReady: value('require') !== '',
    style: wanted,
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

copy.addEventListener('click', async () => {
  try {
    await navigator.clipboard.writeText(code.textContent ?? '')
    copied.textContent = texts.copied
  } catch {
    // No permission for the clipboard: select the text, so that the keyboard can copy it.
    getSelection()?.selectAllChildren(code)
    copied.textContent = texts.marked
  }
})

for (const name of EVENTS) {
  embed.addEventListener(`mega-live-${name}`, (event) => {
    // The way back would leave this page.
    event.preventDefault()
    const line = document.createElement('li')
    line.textContent = `${event.type} ${JSON.stringify(event.detail)}`
    log.prepend(line)
    while (log.children.length > 8) log.lastElementChild?.remove()
  })
}

update()
stage.append(embed)
publishedScript(location.href)
  .then((found) => {
    published = found
  })
  .catch(() => {
    // No composition, or no secure context for the hash: offer the newest version alone.
  })
  .finally(update)
