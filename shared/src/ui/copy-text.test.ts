import { copyText } from './copy-text.ts'

const copied: string[] = []
afterEach(() => {
  document.body.innerHTML = ''
  copied.length = 0
  Reflect.deleteProperty(navigator, 'clipboard')
  Reflect.deleteProperty(document, 'execCommand')
})

/** jsdom has no execCommand; a browser copies the selection. */
function selectionCopies(works: boolean) {
  document.execCommand = () => {
    const selected = document.activeElement
    if (works && selected instanceof HTMLTextAreaElement && selected.closest('dialog'))
      copied.push(selected.value)
    return works
  }
}

test('copies by the Clipboard API', async () => {
  const writeText = async (text: string) => void copied.push(text)
  Object.assign(navigator, { clipboard: { writeText } })
  expect(await copyText('A51C')).toBe(true)
  expect(copied).toEqual(['A51C'])
})

test('without it copies by a selection inside the open dialog, and gives the focus back', async () => {
  document.body.innerHTML = '<dialog open><button></button></dialog>'
  const button = document.querySelector('button')
  button?.focus()
  selectionCopies(true)
  expect(await copyText('A51C')).toBe(true)
  expect(copied).toEqual(['A51C'])
  expect(button).toHaveFocus()
  expect(document.querySelector('textarea')).toBeNull()
})

test('says when the browser refuses both', async () => {
  selectionCopies(false)
  expect(await copyText('A51C')).toBe(false)
})
