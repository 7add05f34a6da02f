/** Every Vietnamese text of this package. Those marked (spec) are the specification's, sections 2 and 8: exact. */
export const texts = {
  title: 'Lịch sử nhận vé',
  tickets: 'Vé số may mắn',
  giftcodes: 'Lịch sử đổi gift code',
  time: 'Thời gian',
  codes: 'Mã dự thưởng',
  mission: 'Nhiệm vụ',
  giftcode: 'Gift code',
  caption: (columns: readonly string[]) => `Bảng gồm các cột: ${columns.join(', ')}`,
  loading: 'Đang tải lịch sử…',
  loaded: 'Đã tải xong lịch sử.',
  /** (spec) */
  empty: 'Không có lịch sử nhiệm vụ',
  /** (spec) */
  failed: 'Không thể tải lịch sử nhiệm vụ',
  /** (spec) */
  expired: 'Phiên đăng nhập đã hết hạn. Vui lòng đăng nhập lại để tiếp tục!',
  retry: 'Thử lại',
  back: 'Quay về',
  copy: (text: string) => `Sao chép ${text}`,
  copied: 'Đã sao chép',
  notCopied: 'Chưa sao chép được. Vui lòng chọn mã rồi sao chép bằng tay.',
}
