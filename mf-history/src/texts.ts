import { DRAWS } from '@anniversary/shared/contract/event'
import type { Win } from '@anniversary/shared/contract/host'

interface ShownPlace {
  readonly draw: number
  readonly position: string
}

/** The texts are exact where the specification has them. */
export const historyTexts = {
  title: 'Lịch sử nhận vé',
  tickets: 'Vé số may mắn',
  giftcodes: 'Lịch sử đổi gift code',
  time: 'Thời gian',
  codes: 'Mã dự thưởng',
  mission: 'Nhiệm vụ',
  giftcode: 'Gift code',
  loading: 'Đang tải lịch sử…',
  loaded: 'Đã tải xong lịch sử.',
  empty: 'Không có lịch sử nhiệm vụ',
  failed: 'Không thể tải lịch sử nhiệm vụ',
  firstMission: 'Làm nhiệm vụ đầu tiên',
  seeMissions: 'Xem nhiệm vụ',
  won: (prize: string) => `★ Trúng ${prize}`,
  place: ({ draw, position }: ShownPlace) => `số ${position} trong danh sách lần ${draw}`,
  laterPlace: ({ draw, position }: ShownPlace) => `số ${position} lần ${draw}`,
  delivered: (time: string) => `Đã trao giải lúc ${time}`,
  claimUntil: (day: string) => `Chưa trao, nhận giải đến hết ${day}`,
  exchanged: (time: string) => `Đã đổi gift code lúc ${time}`,
  exchangeUntil: (day: string) => `Chưa đổi, đổi đến hết ${day}`,
  exchange: 'Đổi gift code',
  exchangeDone: 'Đã đổi gift code!',
  exchangeFailed: 'Có lỗi xảy ra khi đổi gift code. Vui lòng thử lại!',
  voided: 'đã hủy, không tham gia quay thưởng',
  lapsed: 'Đã hết hạn nhận giải',
  resultsLater: 'Kết quả được công bố trong mỗi đêm quay thưởng.',
  congratulations: 'Chúc mừng!',
  win: ({ code, prize }: Win) => `Mã ${code} trúng ${prize}.`,
  copyAll: 'Sao chép tất cả',
  noWinYet: (draw: number) =>
    `Đã có kết quả lần ${draw}: lần này bạn chưa trúng. Mã của bạn vẫn tham gia các đêm quay tiếp theo. Chúc bạn may mắn!`,
  noWin: `Đã có kết quả cả ${DRAWS.length} đêm quay. Rất tiếc, lần này bạn chưa trúng. Cảm ơn bạn đã tham gia!`,
  retry: 'Thử lại',
  back: 'Quay về',
  copy: (text: string) => `Sao chép ${text}`,
  copied: 'Đã sao chép',
}
