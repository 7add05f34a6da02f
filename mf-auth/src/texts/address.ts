export const addressTexts = {
  title: 'Thông tin nhận thưởng',
  intro: 'Vui lòng bổ sung thông tin để hoàn tất đăng nhập.',
  fullname: 'Họ và tên',
  phoneNumber: 'Số điện thoại',
  address: 'Địa chỉ',
  note: 'Ghi chú (không bắt buộc)',
  confirm: 'Xác nhận',
  failed: 'Cập nhật thông tin thất bại. Vui lòng thử lại!',
}
