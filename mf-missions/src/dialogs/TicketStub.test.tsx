import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { TicketStub } from './TicketStub.tsx'

test('shows the code and copies exactly it', async () => {
  const onCopy = jest.fn()
  render(
    <>
      <TicketStub code="A51C-20QB-17CB" onCopy={onCopy} />
      <TicketStub code="Z07K-9M4T-XW2E" onCopy={onCopy} />
    </>,
  )
  expect(screen.getByText('A51C-20QB-17CB')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Sao chép mã Z07K-9M4T-XW2E' }))
  expect(onCopy.mock.calls).toEqual([['Z07K-9M4T-XW2E']])
})
