/**
 * Vietnamese texts of the login screen. One file a chunk: what /login does not show, it does not load.
 * Those marked (spec) are the specification's, sections 2, 5 and 8: exact.
 */
export const texts = {
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
  /** (spec) The interceptor's words for a lost connection, repeated where the member looks. */
  unreachable: 'Không thể kết nối đến máy chủ. Vui lòng thử lại sau!',
}
