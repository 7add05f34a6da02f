import { SHARE_LINKS, TICKETS_PER_STAGE } from '@anniversary/shared/contract/event'
import { type CountedKind, missionStateTexts } from '@anniversary/shared/contract/missions'

/** Exact wordings: specification, sections 4, 5 and 8. */
export const missionTexts = {
  title: 'Nhiệm vụ nhận vé',
  history: 'Lịch sử',
  rules: 'Thể lệ',
  back: 'Quay về',
  andLogOut: 'và đăng xuất',
  stageTickets: (tickets: number, stage: number | 'này' = 'này') =>
    `${tickets}\u00a0/\u00a0${TICKETS_PER_STAGE}\u00a0vé giai\u00a0đoạn\u00a0${stage}`,
  list: 'Danh sách nhiệm vụ',
  waiting: (tickets: number) => `${tickets} vé đang chờ nhận`,
  tickets: (tickets: number) => `${tickets} vé`,
  reached: (value: string, goal: string, unit: string) => `${value} trên ${goal} ${unit}`.trim(),
  units: {
    'deposit-total': 'điểm',
    'bet-total': 'điểm',
    'deposit-count': 'lần',
    streak: 'ngày',
  } satisfies Readonly<Record<CountedKind, string>> as Readonly<Record<string, string>>,
  notYet: 'Chưa đến thời gian nhận vé.',
  over: (stage: number) => `Giai đoạn ${stage} đã kết thúc.`,
  opensLater: (count: number, day: string) => `${count} nhiệm vụ mở ngày ${day}`,
  missed: (count: number) => `${count} nhiệm vụ đã đóng`,
  opens: (stage: number, day: string) => `Giai\u00a0đoạn\u00a0${stage} nhận\u00a0vé từ ${day}.`,
  allClaimed: 'Bạn đã nhận đủ vé giai đoạn này.',
  seeYou: (day: string) => `Hẹn gặp bạn ở đêm quay ${day}!`,
  addToCalendar: 'Thêm vào lịch',

  ...missionStateTexts,
  done: `${missionStateTexts.claimed} · Xem mã`,

  loading: 'Đang tải danh sách nhiệm vụ…',
  processing: 'ĐANG XỬ LÝ YÊU CẦU ...',
  empty: 'Chưa có nhiệm vụ nào',
  emptyHint: 'Nhiệm vụ của giai đoạn mới sẽ xuất hiện tại đây.',
  retry: 'Thử lại',
  notOpen: 'Nhiệm vụ này đã ngừng nhận vé.',
  lostFailed: 'Máy chủ chưa phản hồi. Bấm “Thử lại”.',
  loadFailed: 'Không thể tải dữ liệu nhiệm vụ. Vui lòng thử lại!',
  stale: 'Thông tin có thể chưa được cập nhật.',

  missionNotFound: 'Không tìm thấy thông tin nhiệm vụ',
  claimFailed: 'Có lỗi xảy ra khi nhận phần thưởng. Vui lòng thử lại!',
  oneAtATime: 'Đang nhận vé cho nhiệm vụ khác. Vui lòng chờ trong giây lát.',
  // At most two lines on the narrowest card.
  lostChecking: 'Máy chủ chưa phản hồi. Đang kiểm tra lại…',
  lostOffline: 'Có mạng, trang sẽ tự kiểm tra lại.',
  lostGranted: 'Đã ghi nhận vé. Bấm vào thẻ để xem mã.',
  lostNotGranted: 'Vé chưa được ghi nhận. Bạn bấm lại nhé.',

  notLoaded: 'Chưa mở được nội dung này. Vui lòng kiểm tra kết nối mạng rồi thử lại.',

  shareIncomplete: `Vui lòng nhập đầy đủ ${SHARE_LINKS} URL!`,
  shareFailed: 'Có lỗi xảy ra khi submit URL. Vui lòng thử lại!',
  streakRefused: 'Bạn chưa đủ điều kiện để nhận vé',
  streakFailed: 'Có lỗi xảy ra khi kiểm tra. Vui lòng thử lại!',

  ended: 'Sự kiện đã kết thúc',
  endedHint: 'Cảm ơn bạn đã đồng hành! Mã dự thưởng của bạn vẫn được lưu trong lịch sử.',
} as const
