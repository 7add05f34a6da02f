import { DRAWS } from '@anniversary/shared/contract/event'
import type { Win } from '@anniversary/shared/contract/host'

/** Every Vietnamese text of this package, exact where the specification has it. */
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
  empty: 'Không có lịch sử nhiệm vụ',
  failed: 'Không thể tải lịch sử nhiệm vụ',
  firstMission: 'Làm nhiệm vụ đầu tiên',
  won: (prize: string) => `★ Trúng ${prize}`,
  place: (draw: number, position: string) => `số ${position} trong danh sách lần ${draw}`,
  delivered: (time: string) => `Đã trao giải lúc ${time}`,
  claimUntil: (time: string) => `Chưa trao, nhận giải trước ${time}`,
  lapsed: 'Đã hết hạn nhận giải',
  resultsLater: 'Kết quả được công bố trong mỗi đêm quay thưởng.',
  congratulations: 'Chúc mừng!',
  win: ({ code, prize }: Win) => `Mã ${code} trúng ${prize}.`,
  contact: 'Hãy liên hệ chăm sóc khách hàng để nhận giải.',
  copyAll: 'Sao chép tất cả',
  noWinYet: (draw: number) =>
    `Đã có kết quả lần ${draw}: bạn chưa có mã nào trúng. Mã của bạn vẫn được dự các lần quay sau.`,
  noWin: `Đã có kết quả cả ${DRAWS.length} lần quay. Rất tiếc, bạn không có mã nào trúng thưởng.`,
  retry: 'Thử lại',
  back: 'Quay về',
  copy: (text: string) => `Sao chép ${text}`,
  copied: 'Đã sao chép',
}
