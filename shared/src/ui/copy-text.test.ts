import { createFakeHost } from '../testing/fake-host.ts'
import { copyText } from './copy-text.ts'

/** What the fallback copied, and where its field stood. */
let copied: { text: string; place: Element | null } | undefined

function allowSelection(isAllowed: boolean) {
  document.execCommand = () => {
    const field = document.activeElement
    if (isAllowed && field instanceof HTMLTextAreaElement)
      copied = { text: field.value, place: field.parentElement }
    return isAllowed
  }
}

function giveClipboard(clipboard: object | undefined) {
  Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true })
}

beforeEach(() => {
  copied = undefined
  // The one that was opened last need not come last in the document.
  document.body.innerHTML =
    '<dialog><b>CODE-1</b><button>Sao chép</button></dialog><dialog open></dialog>'
  document.querySelector('dialog')?.showModal()
  document.querySelector('button')?.focus()
})

test.each<[string, object | undefined]>([
  ['is absent', undefined],
  ['refuses', { writeText: () => Promise.reject(new DOMException('', 'NotAllowedError')) }],
  ['never answers', { writeText: () => new Promise(() => {}) }],
])('where the clipboard %s, a selection inside the open dialog is copied', async (_, clipboard) => {
  const host = createFakeHost()
  giveClipboard(clipboard)
  allowSelection(true)
  await copyText('CODE-1', 'Đã sao chép', host.notify)
  expect(copied).toEqual({ text: 'CODE-1', place: document.querySelector('dialog') })
  expect(document.querySelector('textarea')).toBeNull()
  expect(document.querySelector('button')).toHaveFocus()
  expect(host.toasts()).toEqual(['Đã sao chép'])
})

test('where nothing can be copied, the text is selected and the toast says so', async () => {
  const host = createFakeHost()
  giveClipboard(undefined)
  allowSelection(false)
  await copyText('CODE-1', 'Đã sao chép', host.notify, document.querySelector('b'))
  expect(getSelection()?.toString()).toBe('CODE-1')
  expect(host.toasts()).toEqual([expect.stringContaining('đã được chọn sẵn')])
})
