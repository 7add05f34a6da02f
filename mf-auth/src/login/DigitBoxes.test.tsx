import { fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { DigitBoxes } from './DigitBoxes.tsx'
import { noDigits } from './digit-entry.ts'

function Owner() {
  const [digits, setDigits] = useState(noDigits)
  return <DigitBoxes digits={digits} onEntry={(entry) => setDigits(entry.digits)} />
}

function open() {
  render(<Owner />)
  return userEvent.setup({ delay: null })
}

const boxes = () =>
  within(screen.getByRole('group', { name: '4 số cuối tài khoản ngân hàng' })).getAllByRole<HTMLInputElement>(
    'textbox',
  )
const box = (place: number) => screen.getByRole('textbox', { name: `Số thứ ${place}` })
const values = () =>
  boxes()
    .map(({ value }) => value || '_')
    .join('')

// spec: four-digit-boxes
it('is four fields with names of their own, in a group with a name, for a number keyboard', () => {
  open()
  expect(boxes()).toEqual([box(1), box(2), box(3), box(4)])
  for (const field of boxes()) {
    expect(field).toHaveAttribute('inputmode', 'numeric')
    expect(field.type).toBe('text')
    expect(field).not.toHaveAttribute('maxlength')
  }
})

// spec: digits-advance
it('moves the focus on with each digit and keeps it in the last box', async () => {
  const user = open()
  await user.click(box(1))
  await user.keyboard('0')
  expect(box(2)).toHaveFocus()
  await user.keyboard('04')
  expect(box(4)).toHaveFocus()
  await user.keyboard('2')
  expect(box(4)).toHaveFocus()
  expect(values()).toBe('0042')
})

it('moves on when the digit that stands there is typed again', async () => {
  const user = open()
  await user.click(box(1))
  await user.keyboard('11')
  await user.click(box(1))
  await user.keyboard('1')
  expect(box(2)).toHaveFocus()
  await user.keyboard('1')
  expect(box(3)).toHaveFocus()
  expect(values()).toBe('11__')
})

// spec: digits-erase
it('erases backwards: first the digit that stands there, then the one before', async () => {
  const user = open()
  await user.click(box(1))
  await user.keyboard('123')
  expect(box(4)).toHaveFocus()
  await user.keyboard('{Backspace}')
  expect(box(3)).toHaveFocus()
  expect(values()).toBe('12__')
  await user.keyboard('{Backspace}{Backspace}')
  expect(box(1)).toHaveFocus()
  expect(values()).toBe('____')
  await user.keyboard('{Backspace}')
  expect(box(1)).toHaveFocus()
})

it('erases backwards by the key alone, for browsers that announce no deletion in an empty field', () => {
  open()
  fireEvent.change(box(1), { target: { value: '1' } })
  const untouched = fireEvent.keyDown(box(2), { key: 'Backspace' })
  expect(untouched).toBe(false)
  expect(box(1)).toHaveFocus()
  expect(values()).toBe('____')
})

it('selects the digit of a box that is entered, so that typing replaces it', async () => {
  const user = open()
  await user.click(box(1))
  await user.keyboard('12{ArrowLeft}')
  const { activeElement } = document
  expect(activeElement).toBe(box(2))
  expect(boxes()[1]).toMatchObject({ selectionStart: 0, selectionEnd: 1 })
})

// spec: digits-erase-on-phone
it("erases backwards by a phone's keyboard, which does not name its keys", () => {
  open()
  fireEvent.change(box(1), { target: { value: '1' } })
  expect(box(2)).toHaveFocus()
  fireEvent.keyDown(box(2), { key: 'Unidentified', keyCode: 229 })
  const erase = new InputEvent('beforeinput', {
    inputType: 'deleteContentBackward',
    bubbles: true,
    cancelable: true,
  })
  fireEvent(box(2), erase)
  expect(box(1)).toHaveFocus()
  expect(values()).toBe('____')
})

it('moves by arrow keys without changing a digit, and stops at both ends', async () => {
  const user = open()
  await user.click(box(1))
  await user.keyboard('1234{ArrowLeft}{ArrowLeft}')
  expect(box(2)).toHaveFocus()
  await user.keyboard('{ArrowRight}')
  expect(box(3)).toHaveFocus()
  await user.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}')
  expect(box(4)).toHaveFocus()
  await user.keyboard('{ArrowLeft}{ArrowLeft}{ArrowLeft}{ArrowLeft}')
  expect(box(1)).toHaveFocus()
  expect(values()).toBe('1234')
})

it("leaves the browser's own shortcuts alone", () => {
  open()
  const back = fireEvent.keyDown(box(2), { key: 'ArrowLeft', altKey: true })
  expect(back).toBe(true)
})

it('spreads a pasted 1234 over all of them', async () => {
  const user = open()
  await user.click(box(3))
  await user.paste('1234')
  expect(values()).toBe('1234')
  expect(box(4)).toHaveFocus()
})

it('spreads an autofilled 1234, which raises no paste event', () => {
  open()
  fireEvent.change(box(1), { target: { value: '1234' } })
  expect(values()).toBe('1234')
})
