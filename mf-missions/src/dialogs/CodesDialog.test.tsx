import { createFakeHost } from '@anniversary/shared/testing/fake-host'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { CodesDialog } from './CodesDialog.tsx'

const CODES = ['A51C-20QB-17CB', 'Z07K-9M4T-XW2E']

function open(codes: readonly string[]) {
  const host = createFakeHost()
  const user = userEvent.setup({ delay: null })
  render(<CodesDialog codes={codes} fresh={false} notify={host.notify} onClose={() => {}} />)
  return { host, user }
}

test('shows each code once, and copies exactly the one that is asked for', async () => {
  const { host, user } = open([...CODES, 'A51C-20QB-17CB'])
  expect(screen.getAllByRole('listitem')).toHaveLength(2)
  expect(screen.getByText('A51C-20QB-17CB')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Sao chép mã Z07K-9M4T-XW2E' }))
  await expect(navigator.clipboard.readText()).resolves.toBe('Z07K-9M4T-XW2E')
  expect(host.toasts()).toEqual(['Đã sao chép mã dự thưởng!'])
})

test('copies all of them at once, where there are several', async () => {
  const { host, user } = open(CODES)
  await user.click(screen.getByRole('button', { name: 'Sao chép tất cả' }))
  await expect(navigator.clipboard.readText()).resolves.toBe('A51C-20QB-17CB, Z07K-9M4T-XW2E')
  expect(host.toasts()).toEqual(['Đã sao chép mã dự thưởng!'])
})

test('says when the browser refuses to copy', async () => {
  const { host, user } = open(CODES)
  jest.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('', 'NotAllowedError'))
  await user.click(screen.getByRole('button', { name: 'Sao chép mã A51C-20QB-17CB' }))
  expect(host.toasts()).toEqual(['Trình duyệt không cho phép sao chép. Vui lòng chọn và sao chép thủ công!'])
})

// spec: no-codes
test('says when there is none', () => {
  open([])
  expect(screen.getByText('Không có mã dự thưởng để hiển thị')).toBeVisible()
})
