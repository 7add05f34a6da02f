/** Vietnamese texts of the address dialog. (spec): exact, sections 2, 5 and 8. */
export const texts = {
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
