/** Exact: specification, section 8. */
export const clientTexts = {
  unreachable: 'Không thể kết nối đến máy chủ. Vui lòng thử lại sau!',
  noToken: 'Token không tồn tại. Vui lòng đăng nhập lại!',
}
