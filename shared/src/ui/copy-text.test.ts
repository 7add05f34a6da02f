import { copyText } from './copy-text.ts'

const copied: string[] = []
afterEach(() => {
  document.body.innerHTML = ''
  copied.length = 0
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

// By the Clipboard API: mf-missions' test of the codes' dialog.
test('without a Clipboard API copies by a selection inside the open dialog, and gives the focus back', async () => {
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
