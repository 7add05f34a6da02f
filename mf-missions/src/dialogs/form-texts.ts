import { SHARE_LINKS } from '@anniversary/shared/contract/event'

export const formTexts = {
  shareTitle: 'Chia sẻ sự kiện',
  shareLead: `Đăng link sự kiện lên Facebook ở chế độ Công khai, rồi dán link của ${SHARE_LINKS} bài đăng khác nhau vào đây.`,
  shareUrl: (number: number) => `Link bài viết ${number}`,
  copyLink: 'Sao chép link',
  facebook: 'Đăng lên Facebook',
  paste: 'Dán',
  pasteLink: (number: number) => `Dán link bài viết ${number}`,
  linkGood: 'Link hợp lệ',
  linkCopied: 'Đã sao chép link!',
  shareSubmit: 'Gửi link',
  shareInvalid: 'Có Link chia sẻ chưa hợp lệ',
  streakTitle: (days: number) => `Kiểm tra ${days} ngày nạp liên tiếp`,
  streakLead: (days: number) =>
    `Chọn khoảng thời gian trong giai đoạn này mà bạn đã nạp liên tiếp ${days} ngày.`,
  streakStart: 'Ngày bắt đầu',
  streakEnd: 'Ngày kết thúc',
  streakIncomplete: 'Vui lòng nhập đầy đủ ngày bắt đầu và ngày kết thúc.',
  dateMissing: 'Chưa chọn ngày',
  dayCount: (day: string, days: number) => `${day} · ${days} ngày`,
} as const
