import { clientTexts } from '@anniversary/shared/texts'

/* Every Vietnamese text of this package. (spec): exact, sections 2, 5 and 8 of the specification. */

/** The interceptor's words for a lost connection, repeated where the member looks. */
const { unreachable } = clientTexts

export const loginTexts = {
  title: 'Đăng nhập',
  account: 'Tài khoản',
  digits: '4 số cuối tài khoản ngân hàng',
  digit: (place: number) => `Số thứ ${place}`,
  submit: 'Đăng nhập',
  /** Reads as the artwork does. */
  register: 'Đăng ký tham gia',
  rules: 'Thể lệ chương trình',
  back: 'Quay về',
  /** (spec) */
  accountMissing: 'Vui lòng nhập tài khoản',
  /** (spec) */
  accountShort: 'Tài khoản phải có ít nhất 3 ký tự',
  /** (spec) */
  digitsMissing: 'Vui lòng nhập đủ 4 số cuối',
  /** (spec) */
  digitsOnly: 'Chỉ được nhập số',
  /** (spec) */
  rejected: 'Tài khoản hoặc mật khẩu không chính xác!',
  storageBlocked:
    'Trình duyệt đang chặn cookie nên chưa thể đăng nhập. Vui lòng cho phép cookie cho trang này rồi thử lại.',
  addressNotLoaded: 'Chưa mở được biểu mẫu địa chỉ. Vui lòng kiểm tra kết nối mạng.',
  retry: 'Thử lại',
  unreachable,
}

export const addressTexts = {
  title: 'Thông tin nhận thưởng',
  intro: 'Vui lòng bổ sung thông tin để hoàn tất đăng nhập.',
  fullname: 'Họ và tên',
  phoneNumber: 'Số điện thoại',
  address: 'Địa chỉ',
  note: 'Ghi chú (không bắt buộc)',
  confirm: 'Xác nhận',
  /** (spec) */
  failed: 'Cập nhật thông tin thất bại. Vui lòng thử lại!',
}

export const checkTexts = {
  title: 'Kiểm tra thông tin',
  by: 'Kiểm tra theo',
  byUsername: 'Tên đăng nhập',
  byCode: 'Mã dự thưởng',
  /** (spec) */
  submit: 'KIỂM TRA NGAY',
  /** (spec) */
  back: 'QUAY VỀ',
  /** (spec) */
  missing: 'Vui lòng nhập thông tin tìm kiếm để tiếp tục!',
  answer: 'Kết quả kiểm tra',
  asked: 'Nội dung kiểm tra',
  searching: 'Đang kiểm tra…',
  stage: 'Giai đoạn',
  stageNumber: (stage: number) => `Giai đoạn ${stage}`,
  tickets: (count: number) => `${count} vé`,
  noTickets: 'Chưa có vé nào được ghi nhận cho tên đăng nhập này.',
  validCode: 'Mã hợp lệ: đây là mã dự thưởng của sự kiện.',
  invalidCode: 'Không tìm thấy mã này trong danh sách mã dự thưởng của sự kiện.',
  mission: 'Nhiệm vụ',
  time: 'Thời gian nhận',
  owner: 'Chủ vé',
  unsupported:
    'Hiện chưa thể tra cứu trực tuyến. Vui lòng đăng nhập để xem vé của bạn hoặc liên hệ bộ phận chăm sóc khách hàng.',
  unreachable,
}
