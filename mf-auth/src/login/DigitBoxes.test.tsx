import { createEvent, fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { DigitBoxes } from './DigitBoxes.tsx'

function open() {
  render(<DigitBoxes onEdit={() => undefined} />)
  return userEvent.setup({ delay: null })
}

async function type(keys: string) {
  const user = open()
  await user.click(box(1))
  await user.keyboard(keys)
  return user
}

const boxes = () =>
  within(
    screen.getByRole('group', { name: '4 số cuối tài khoản ngân hàng' }),
  ).getAllByRole<HTMLInputElement>('textbox')
const box = (place: number) => screen.getByRole('textbox', { name: `Chữ số thứ ${place}` })
const values = () =>
  boxes()
    .map(({ value }) => value || '_')
    .join('')

// spec: four-digit-boxes
it('four named fields in a named group open a number keyboard', () => {
  open()
  expect(boxes()).toEqual([box(1), box(2), box(3), box(4)])
  for (const field of boxes()) {
    expect(field).toHaveAttribute('inputmode', 'numeric')
    expect(field.type).toBe('text')
    expect(field).not.toHaveAttribute('maxlength')
  }
})

// spec: digits-advance
it('each digit moves the focus on, up to the last box', async () => {
  const user = await type('0')
  expect(box(2)).toHaveFocus()
  await user.keyboard('042')
  expect(box(4)).toHaveFocus()
  expect(values()).toBe('0042')
})

it('typing the same digit again moves the focus on', async () => {
  const user = await type('11')
  await user.click(box(1))
  await user.keyboard('1')
  expect(box(2)).toHaveFocus()
  await user.keyboard('1')
  expect(box(3)).toHaveFocus()
  expect(values()).toBe('11__')
})

// spec: digits-erase
it('Backspace erases the digit, then the one before it', async () => {
  const user = await type('123{Backspace}')
  expect(box(3)).toHaveFocus()
  expect(values()).toBe('12__')
  await user.keyboard('{Backspace}{Backspace}')
  expect(box(1)).toHaveFocus()
  expect(values()).toBe('____')
  await user.keyboard('{Backspace}')
  expect(box(1)).toHaveFocus()
})

it('focusing a box selects its digit', async () => {
  await type('12{ArrowLeft}')
  expect(box(2)).toHaveFocus()
  expect(box(2)).toMatchObject({ selectionStart: 0, selectionEnd: 1 })
})

const deletion = { inputType: 'deleteContentBackward', bubbles: true, cancelable: true }
// spec: digits-erase-on-phone
it.each([
  [
    'the key alone, where no deletion is announced in an empty field',
    createEvent.keyDown(document, { key: 'Backspace' }),
  ],
  ["a phone's keyboard, which does not name its keys", new InputEvent('beforeinput', deletion)],
])('erases backwards by %s', async (_, event) => {
  await type('1')
  const untouched = fireEvent(box(2), event)
  expect(untouched).toBe(false)
  expect(box(1)).toHaveFocus()
  expect(values()).toBe('____')
})

it('arrow keys move the focus and stop at both ends', async () => {
  const user = await type('1234{ArrowLeft}{ArrowLeft}')
  expect(box(2)).toHaveFocus()
  await user.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}')
  expect(box(4)).toHaveFocus()
  await user.keyboard('{ArrowLeft}{ArrowLeft}{ArrowLeft}{ArrowLeft}')
  expect(box(1)).toHaveFocus()
  expect(values()).toBe('1234')
})

it('browser shortcuts keep working in the boxes', () => {
  open()
  const back = fireEvent.keyDown(box(2), { key: 'ArrowLeft', altKey: true })
  expect(back).toBe(true)
})
