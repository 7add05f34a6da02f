import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Button } from './Button.tsx'

test('a busy button ignores clicks, submits nothing and keeps the focus', async () => {
  const user = userEvent.setup()
  const onClick = jest.fn()
  const onSubmit = jest.fn((event: { preventDefault(): void }) => event.preventDefault())
  const form = (busy: boolean) => (
    <form onSubmit={onSubmit}>
      <input aria-label="Tài khoản" />
      <Button type="submit" busy={busy} onClick={onClick}>
        Đăng nhập
      </Button>
    </form>
  )
  const { rerender } = render(form(false))
  const button = screen.getByRole('button', { name: 'Đăng nhập' })
  await user.click(button)
  expect(onSubmit).toHaveBeenCalledTimes(1)

  rerender(form(true))
  expect(button).toHaveFocus()
  expect(button).toHaveAttribute('aria-busy', 'true')
  expect(button).toHaveAttribute('aria-disabled', 'true')
  await user.click(button)
  await user.type(screen.getByRole('textbox'), 'demo{Enter}')
  expect(onSubmit).toHaveBeenCalledTimes(1)
  expect(onClick).toHaveBeenCalledTimes(1)
})
