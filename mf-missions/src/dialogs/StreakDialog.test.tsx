import { createFakeHost } from '@anniversary/shared/testing/fake-host'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { StreakDialog } from './StreakDialog.tsx'

const day = (name: RegExp) => screen.getByLabelText(name)

/**
 * Sends the form with these days; a native date field takes its value whole.
 */
async function send(start: string, end: string) {
  const { notify, calls } = createFakeHost()
  const onSubmit = jest.fn()
  const user = userEvent.setup({ delay: null })
  render(
    <StreakDialog
      notify={notify}
      busy={false}
      problem={null}
      onSubmit={onSubmit}
      onClose={() => {}}
    />,
  )
  if (start) await user.type(day(/Ngày bắt đầu/), start)
  if (end) await user.type(day(/Ngày kết thúc/), end)
  await user.click(screen.getByRole('button', { name: 'Kiểm tra' }))
  return { calls, onSubmit }
}

test('the streak check sends both days', async () => {
  const { calls, onSubmit } = await send('2025-08-11', '2025-08-15')
  expect(onSubmit.mock.calls).toEqual([[{ start: '2025-08-11', end: '2025-08-15' }]])
  expect(calls).toEqual([])
  expect(screen.getByText(/trong giai đoạn này .* 5 ngày\.$/)).toBeVisible()
  // The field itself speaks the browser's language.
  expect(day(/Ngày bắt đầu/)).toHaveAccessibleDescription('11/08/2025')
  expect(day(/Ngày kết thúc/)).toHaveAccessibleDescription('15/08/2025 · 5 ngày')
})

// spec: streak-incomplete
test.each([
  ['', '', /Ngày bắt đầu/],
  ['', '2025-08-15', /Ngày bắt đầu/],
  ['2025-08-11', '', /Ngày kết thúc/],
])(
  'from %p to %p one toast shows, the field is focused, nothing is sent',
  async (start, end, missing) => {
    const { calls, onSubmit } = await send(start, end)
    const text = 'Vui lòng nhập đầy đủ ngày bắt đầu và ngày kết thúc.'
    await waitFor(() => expect(calls).toEqual([{ kind: 'toast', tone: 'error', text }]))
    expect(screen.getByText(text)).toBeVisible()
    expect(day(missing)).toHaveFocus()
    expect(day(missing)).toHaveAccessibleDescription('Chưa chọn ngày')
    expect(onSubmit).not.toHaveBeenCalled()
  },
)
