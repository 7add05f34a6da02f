import { DRAWS } from '@anniversary/shared/contract/event'

/** Apart from the page's texts, because they load later. */
export const codeTexts = {
  wonTitle: 'Chúc mừng bạn đã trúng thưởng!',
  wonVerb: 'trúng',
  wonDraw: (draw: number) => `(quay\u00a0lần\u00a0${draw})`,
  won: (prize: string) => `Trúng ${prize}`,
  youWon: 'Bạn đã trúng',
  andMore: (count: number) => `và ${count} giải khác`,
  wonIn: (draw: number) => `Quay lần ${draw}`,
  claimPrize: 'Liên hệ nhận giải',
  support: 'Liên hệ chăm sóc khách hàng',
  seeHistory: 'Xem trong lịch sử',
  ownCodes: (count: number) => `Mã dự thưởng của bạn (${count})`,
  codesTitleNew: 'Chúc mừng bạn đã nhận vé!',
  codesTitle: 'Mã dự thưởng của bạn',
  codesKeep: `Mã được lưu trong lịch sử nhận vé và có hiệu lực trong ${DRAWS.length} ngày livestream.`,
  noCodesForDraw: 'Bạn chưa có mã dự thưởng cho đêm quay này.',
  noCodes: 'Không có mã dự thưởng để hiển thị',
  done: 'Xong',
  ticket: 'Vé số may mắn',
  copy: 'Sao chép',
  copyAll: 'Sao chép tất cả',
  copyCode: (code: string) => `Sao chép mã ${code}`,
  codeCopied: 'Đã sao chép mã dự thưởng!',
  refusedTitle: 'Chưa nhận được vé',
  close: 'Đóng',
} as const
