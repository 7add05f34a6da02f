import { render, screen } from '@testing-library/react'
import { TextField } from './TextField.tsx'

test('an input is named by its label; an error marks it and is read with the hint', () => {
  const { rerender } = render(<TextField label="Tài khoản" hint="Tên đăng nhập" />)
  const field = screen.getByRole('textbox', { name: 'Tài khoản' })
  expect(field).toHaveAccessibleDescription('Tên đăng nhập')
  expect(field).not.toHaveAttribute('aria-invalid')
  rerender(<TextField label="Tài khoản" error="Chưa đúng" hint="Tên đăng nhập" />)
  expect(field).toBeInvalid()
  expect(field).toHaveAccessibleDescription('Chưa đúng Tên đăng nhập')
})

test('several lines where asked for, and the mark of a required field stays out of its name', () => {
  render(<TextField label="Địa chỉ" multiline required defaultValue="Huế" />)
  const field = screen.getByRole('textbox', { name: 'Địa chỉ' })
  expect(field.tagName).toBe('TEXTAREA')
  expect(field).toHaveValue('Huế')
  expect(field).toBeRequired()
})
