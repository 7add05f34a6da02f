import { SHARE_LINKS } from '@anniversary/shared/contract/event'

/** Vietnamese texts of the share and streak forms, exact where the specification has them. */
export const texts = {
  shareTitle: 'Chia sẻ sự kiện',
  shareLead: `Chia sẻ liên kết sự kiện lên Facebook ở chế độ công khai rồi dán đủ ${SHARE_LINKS} liên kết bài viết của bạn.`,
  shareUrl: (number: number) => `Liên kết chia sẻ ${number}`,
  copyLink: 'Sao chép liên kết',
  facebook: 'Đăng lên Facebook',
  paste: 'Dán',
  pasteLink: (number: number) => `Dán liên kết chia sẻ ${number}`,
  linkGood: 'Liên kết hợp lệ',
  linkCopied: 'Đã sao chép liên kết!',
  shareSubmit: 'Gửi liên kết',
  shareInvalid: 'Có Link chia sẻ chưa hợp lệ',
  streakTitle: 'Kiểm tra chuỗi ngày nạp',
  streakLead: (days: number) => `Chọn khoảng thời gian bạn đã nạp liên tiếp ${days} ngày.`,
  streakStart: 'Ngày bắt đầu',
  streakEnd: 'Ngày kết thúc',
  streakIncomplete: 'Vui lòng nhập đầy đủ ngày bắt đầu và ngày kết thúc.',
  dateMissing: 'Chưa chọn ngày',
  dayCount: (day: string, days: number) => `${day} · ${days} ngày`,
} as const
