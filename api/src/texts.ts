import { SHARE_LINKS, TICKETS_PER_STAGE } from '@anniversary/shared/contract/event'
import { STREAK_DAYS } from '@anniversary/shared/contract/missions'

export const memberTexts = {
  wrongLogin: 'Tài khoản hoặc mật khẩu không chính xác!',
  noToken: 'Token không tồn tại. Vui lòng đăng nhập lại!',
  sessionOver: 'Phiên đăng nhập đã hết hạn. Vui lòng đăng nhập lại để tiếp tục!',
  banned:
    'Tài khoản của bạn đã bị khóa do vi phạm thể lệ chương trình. Vui lòng liên hệ bộ phận chăm sóc khách hàng!',
  noMission: 'Không tìm thấy thông tin nhiệm vụ',
  notReached: 'Bạn chưa đủ điều kiện để nhận vé',
  stageClosed: 'Hiện không phải thời gian nhận vé.',
  stageFull: `Mỗi giai đoạn nhận tối đa ${TICKETS_PER_STAGE} vé. Nhiệm vụ này có nhiều vé hơn số vé bạn còn được nhận.`,
  streakDatesMissing: 'Vui lòng nhập đầy đủ ngày bắt đầu và ngày kết thúc.',
  streakDatesReversed: 'Ngày bắt đầu phải trước ngày kết thúc',
  streakNotMet: `Bạn chưa nạp tiền đủ ${STREAK_DAYS} ngày liên tiếp trong khoảng thời gian đã chọn. Chỉ tính những ngày thuộc giai đoạn này.`,
  shareLinksMissing: `Vui lòng nhập đầy đủ ${SHARE_LINKS} URL!`,
  shareLinksWrong: 'Có Link chia sẻ chưa hợp lệ',
  noList: 'Danh sách mã dự thưởng được công bố khi đêm quay bắt đầu.',
  malformed: 'Dữ liệu gửi lên không hợp lệ',
  tooLarge: 'Dữ liệu gửi lên quá lớn',
  unsupportedMedia: 'Định dạng dữ liệu không được hỗ trợ',
  noSuchCall: 'Không tìm thấy địa chỉ yêu cầu',
  serviceKey: 'Khóa dịch vụ không hợp lệ',
  tooMany: 'Hệ thống đang nhận quá nhiều yêu cầu. Vui lòng thử lại sau 1 phút!',
  busy: 'Hệ thống đang bận. Vui lòng thử lại sau ít phút!',
  broken: 'Hệ thống gặp sự cố. Vui lòng thử lại sau!',
} as const

/**
 * Messages for malformed fields, by their names on the wire. Other fields get
 * `texts.malformed`.
 */
export const fieldTexts: Readonly<Record<string, string>> = {
  username: 'Tài khoản phải có ít nhất 3 ký tự',
  lastBankNumber: 'Vui lòng nhập đủ 4 số cuối',
  fullname: 'Vui lòng nhập họ và tên',
  phone_number: 'Vui lòng nhập số điện thoại',
  address: 'Vui lòng nhập địa chỉ',
  share_links: memberTexts.shareLinksMissing,
  startTimeStreak: memberTexts.streakDatesMissing,
  endTimeStreak: memberTexts.streakDatesMissing,
  event_code_detail: memberTexts.noMission,
  value: 'Vui lòng nhập thông tin tìm kiếm để tiếp tục!',
}
