/**
 * Exact where the specification has them. A file for each chunk, so that no
 * page loads others.
 */
export const loginTexts = {
  title: 'Đăng nhập',
  account: 'Tài khoản',
  digits: '4 số cuối tài khoản ngân hàng',
  digitsHint: '4 số cuối của tài khoản ngân hàng bạn dùng để nạp và rút.',
  digit: (place: number) => `Chữ số thứ ${place}`,
  submit: 'Đăng nhập',
  /** The same words as in the artwork. */
  register: 'Đăng ký tham gia',
  rules: 'Thể lệ chương trình',
  check: 'Kiểm tra vé',
  back: 'Quay về',
  accountMissing: 'Vui lòng nhập tài khoản',
  accountShort: 'Tài khoản phải có ít nhất 3 ký tự',
  digitsMissing: 'Vui lòng nhập đủ 4 số cuối',
  digitsOnly: 'Chỉ được nhập số',
  known: 'Bạn đang đăng nhập với tài khoản',
  enter: 'Vào nhận vé',
  hello: (account: string) => `Chào ${account}!`,
  mayBeLocked:
    'Nhập sai nhiều lần, tài khoản bị tạm khóa vài phút. Hãy đợi rồi thử lại, hoặc liên hệ bộ phận chăm sóc khách hàng.',
  rejected: 'Tài khoản hoặc mật khẩu không chính xác!',
  inputMethod: 'Nếu tên tài khoản không có dấu, hãy tắt bộ gõ tiếng Việt rồi nhập lại.',
  storageBlocked:
    'Trình duyệt đang chặn cookie nên chưa thể đăng nhập. Vui lòng cho phép cookie cho trang này rồi thử lại.',
  addressNotLoaded: 'Chưa mở được biểu mẫu địa chỉ. Vui lòng kiểm tra kết nối mạng rồi thử lại.',
}
