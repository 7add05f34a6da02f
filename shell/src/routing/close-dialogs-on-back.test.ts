import { EVENTS } from '@anniversary/shared/contract/page-names'
import { closeDialogsOnBack } from './close-dialogs-on-back.ts'

closeDialogsOnBack()

const popped = () => new Promise((resolve) => addEventListener('popstate', resolve, { once: true }))

async function back() {
  const arrival = popped()
  history.back()
  await arrival
}

/** A dialog as `shared/ui/Dialog` is: it closes on `cancel`. */
function openDialog() {
  const dialog = document.createElement('dialog')
  document.body.append(dialog)
  dialog.addEventListener('cancel', () => dialog.remove())
  dialog.showModal()
  dialog.dispatchEvent(new Event(EVENTS.dialogOpened, { bubbles: true }))
  return dialog
}

test('Back closes the dialogs one by one and then leaves the page', async () => {
  history.replaceState(null, '', '/login')
  history.pushState(null, '', '/home')
  const [first, second] = [openDialog(), openDialog()]
  await back()
  expect([first.isConnected, second.isConnected]).toEqual([true, false])
  await back()
  expect(first.isConnected).toBe(false)
  expect(location.pathname).toBe('/home')
  await back()
  expect(location.pathname).toBe('/login')
})

test('Back closes the dialog that has the focus, wherever it is in the document', async () => {
  const [rules, form] = [openDialog(), openDialog()]
  rules.tabIndex = -1
  rules.focus()
  await back()
  expect([rules.isConnected, form.isConnected]).toEqual([false, true])
  form.remove()
})

test('a dialog that was closed otherwise costs no press of Back', async () => {
  history.replaceState(null, '', '/login')
  history.pushState(null, '', '/home')
  openDialog().remove()
  openDialog().remove()
  history.pushState(null, '', '/histories')
  const dialog = openDialog()
  await back()
  expect(dialog.isConnected).toBe(false)
  await back()
  expect(location.pathname).toBe('/home')
  await back()
  await popped()
  expect(location.pathname).toBe('/login')
})

test('Forward from the entry of a closed dialog stays on the next page', async () => {
  history.replaceState(null, '', '/home')
  openDialog().remove()
  history.pushState(null, '', '/histories')
  await back()
  expect(location.pathname).toBe('/home')
  const arrival = popped()
  history.forward()
  await arrival
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(location.pathname).toBe('/histories')
})
