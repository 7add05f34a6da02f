/** The manifest is written by hand; this holds it to what the element does. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../custom-elements.json'
import { MegaLiveElement } from './element/mega-live.ts'

const folder = join(__dirname, 'element')
const sources = readdirSync(folder)
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => readFileSync(join(folder, file), 'utf8'))
  .join('\n')
const found = (pattern: RegExp): string[] =>
  [...new Set([...sources.matchAll(pattern)].flatMap(([, name]) => name ?? []))].sort()
const names = (entries: readonly { name: string }[] | undefined): string[] =>
  (entries ?? []).map(({ name }) => name).sort()

const element = manifest.modules[0]?.declarations?.[0]

test('attributes', () => {
  expect(names(element?.attributes)).toEqual([...MegaLiveElement.observedAttributes].sort())
})

test('members, each with its attribute', () => {
  const ours = Object.getOwnPropertyNames(MegaLiveElement.prototype).filter(
    (name) => name !== 'constructor' && !name.endsWith('Callback'),
  )
  expect(names(element?.members)).toEqual(ours.sort())
  for (const { name, fieldName } of element?.attributes ?? []) {
    expect(element?.members.find((member) => member.name === fieldName)).toMatchObject({ attribute: name })
  }
})

test('events', () => {
  expect(names(element?.events)).toEqual(found(/'(mega-live-[a-z]+)': CustomEvent/g))
})

test('custom properties', () => {
  expect(names(element?.cssProperties)).toEqual(found(/var\((--mega-live-[a-z]+)/g))
  for (const { name, default: value } of element?.cssProperties ?? []) {
    expect(sources.replaceAll(', ', ',')).toContain(`var(${name},${value.replaceAll(', ', ',')})`)
  }
})

test('parts', () => {
  expect(names(element?.cssParts)).toEqual(
    [...new Set(found(/class: '([a-z ]+)'/g).flatMap((part) => part.split(' ')))].sort(),
  )
})

test('the React component offers every attribute and every event', () => {
  const component = readFileSync(join(__dirname, 'MegaLive.tsx'), 'utf8')
  for (const { fieldName } of element?.attributes ?? []) expect(component).toContain(`props.${fieldName}`)
  for (const { name } of element?.events ?? []) expect(component).toContain(`addEventListener('${name}'`)
})
