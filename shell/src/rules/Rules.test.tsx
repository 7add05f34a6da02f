import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Rules } from './Rules.tsx'

function show(supportUrl?: string) {
  const onClose = jest.fn()
  render(<Rules onClose={onClose} supportUrl={supportUrl} />)
  return onClose
}

function section(heading: string) {
  const text =
    screen.getByRole('heading', { level: 3, name: heading }).closest('section')?.textContent ?? ''
  return text.replace(/\s+/g, ' ')
}

// The specification's section 1, fact by fact.
const FACTS = [
  ['Nhận vé', 'Mỗi giai đoạn nhận tối đa 6 vé'],
  ['Nhận vé', 'Ba giai đoạn, tổng cộng tối đa 18 vé'],
  ['Ba giai đoạn', 'Giai đoạn 1 01/08/2025 – 06/09/2025'],
  ['Ba giai đoạn', 'Giai đoạn 2 10/09/2025 – 18/09/2025'],
  ['Ba giai đoạn', 'Giai đoạn 3 20/09/2025 – 28/09/2025'],
  ['Nhiệm vụ', 'chia sẻ lên Facebook'],
  ['Lịch quay thưởng', '20:00 đến 22:00'],
  ['Lịch quay thưởng', '09/09/2025'],
  ['Lịch quay thưởng', '19/09/2025'],
  ['Lịch quay thưởng', '29/09/2025'],
  ['Điều khoản', 'có giá trị trong cả 3 ngày livestream'],
  ['Điều khoản', 'đã trúng thưởng không được dùng lại'],
  ['Điều khoản', 'Mỗi người chỉ được dùng một tài khoản; nếu vi phạm, mọi giải thưởng sẽ bị hủy'],
  ['Điều khoản', 'trong vòng 1 tháng kể từ ngày livestream'],
  ['Điều khoản', 'trúng thưởng vui lòng liên hệ bộ phận chăm sóc khách hàng'],
] as const
// spec: rules-text
test('each rule of the specification is in its section', () => {
  show()
  for (const [heading, fact] of FACTS) expect(section(heading)).toContain(fact)
})

test('a jump scrolls to its part and moves the keyboard there', async () => {
  show()
  const scrolled = jest.fn()
  Element.prototype.scrollIntoView = function () {
    scrolled(this)
  }
  const jumps = within(screen.getByRole('navigation', { name: 'Chuyển đến phần' })).getAllByRole(
    'button',
  )
  for (const [index, heading] of [
    'Ba giai đoạn',
    'Nhiệm vụ',
    'Lịch quay thưởng',
    'Cơ cấu giải thưởng',
    'Điều khoản',
  ].entries()) {
    await userEvent.click(jumps[index] as HTMLElement)
    expect(document.activeElement).toContainElement(screen.getByRole('heading', { name: heading }))
    expect(scrolled).toHaveBeenLastCalledWith(document.activeElement)
  }
})

// spec: reward-table
test('the rules list missions with their rewards', () => {
  show()
  const table = screen.getByRole('table', { name: 'Nhiệm vụ' })
  const rows = within(table).getAllByRole<HTMLTableRowElement>('row')
  expect(rows.map((row) => [...row.cells].map((cell) => cell.textContent))).toEqual([
    ['Nhiệm vụ', 'Phần thưởng'],
    ['Tổng nạp 300 điểm', '1 vé'],
    ['Tổng cược 5.000 điểm', '1 vé'],
    ['Nạp tiền 5 ngày liên tiếp', '1 vé'],
    ['Tổng nạp 15.000 điểm', '1 vé'],
    ['Nạp tiền 10 lần', '1 vé'],
  ])
})

// spec: prizes
test('the rules list every prize with its number', () => {
  show()
  const prizes = screen.getByRole('heading', { name: 'Cơ cấu giải thưởng' }).closest('section')
  const items = within(prizes as HTMLElement).getAllByRole('listitem')
  expect(items.map((item) => item.textContent)).toEqual([
    'Giải đặc biệtXe ô tôChỉ trong đêm quay cuối cùng',
    'Giải nhấtBóng vàng×3',
    'Giải nhìXe máy×2',
    'Giải baĐiện thoại×2',
    'Giải khuyến khíchVoucher 10 triệu đồng×8, ×6, ×6 theo thứ tự ba đêm quay',
    'Mã thưởngCode 999k×1.000 mỗi đêm quay',
  ])
})

// spec: support-link
test('the support link appears where the site has one', () => {
  show('https://example.com/ho-tro')
  expect(screen.getByRole('link', { name: 'Liên hệ chăm sóc khách hàng' })).toHaveAttribute(
    'href',
    'https://example.com/ho-tro',
  )
})

test('the calendar of the draws is a plain link to a file', () => {
  show()
  const link = screen.getByRole('link', { name: 'Thêm ba đêm quay vào lịch' })
  expect(link).toHaveAttribute('href', '/lich-quay-thuong.ics')
  expect(link).not.toHaveAttribute('download')
})

// spec: rules-close
test('the rules close by their button and by Escape', async () => {
  const onClose = show()
  await userEvent.click(screen.getByRole('button', { name: 'Đã hiểu' }))
  await userEvent.keyboard('{Escape}')
  expect(onClose).toHaveBeenCalledTimes(2)
})
